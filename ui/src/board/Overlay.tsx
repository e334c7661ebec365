// What lies over Shudan's board: the last move, the keyboard's cursor, a preview of the
// stone about to be played, candidates, ownership, territory, and stones called dead.
//
// Everything is told by shape or letter and lightness, never by hue alone.

import type { JSX } from 'preact';
import type { Color } from './Board';
import { signAt } from './signs';
import { placeOf, vertexAt, type Place, type Size } from './vertex';

/** A candidate move drawn on the board. */
export interface Spot {
  vertex: string;
  /** One letter, the same as in the list beside the board. */
  letter: string;
  /** A second, smaller line where there is room. */
  note?: string | undefined;
  rank: 'best' | 'other' | 'poor';
  /** Drawn with a second ring: the move that was played. */
  chosen?: boolean | undefined;
}

export interface OverlayProps {
  size: Size;
  stones: readonly number[];
  /** Points with a dot, drawn where no stone is. */
  stars?: readonly string[] | undefined;
  turn?: Color | null;
  last?: string | null | undefined;
  /** A point that waits for a second tap. */
  pending?: string | null | undefined;
  candidates?: readonly Spot[] | undefined;
  /** For Black, from -1 to 1, row by row from the top left. */
  ownership?: readonly number[] | null | undefined;
  /** Whose each point is when the game is counted: 1 Black's, -1 White's. */
  territory?: readonly number[] | null | undefined;
  dead?: readonly string[] | undefined;
}

interface Placing {
  cell: number;
  margin: number;
  cursor: string | null;
  preview: string | null;
}

export function Overlay(props: OverlayProps & Placing) {
  const { size, cell, margin, turn } = props;
  const at = (vertex: string | null | undefined) => vertex && placeOf(vertex, size);
  const last = at(props.last);
  const cursor = at(props.cursor);
  const preview = at(props.pending ?? props.preview);
  return (
    <svg
      class="overlay"
      width={size.width * cell}
      height={size.height * cell}
      viewBox={`0 0 ${size.width} ${size.height}`}
      style={{ left: `${margin}px`, top: `${margin}px` }}
    >
      {props.stars?.map((vertex) => star(vertex, props))}
      {props.ownership && ownedSquares(props.ownership, props)}
      {props.territory && ownedSquares(props.territory, props)}
      {last && lastMark(last, signAt(props.stones, last, size))}
      {props.dead?.map((vertex) => deadCross(vertex, props))}
      {props.candidates?.map((spot) => candidate(spot, size, cell))}
      {preview && turn && (
        <circle
          class={`preview preview-${turn} ${props.pending ? 'preview-pending' : ''}`}
          cx={preview[0] + 0.5}
          cy={preview[1] + 0.5}
          r="0.45"
        />
      )}
      {cursor && (
        <g class="cursor" transform={`translate(${cursor[0]} ${cursor[1]})`}>
          <rect
            class="cursor-out"
            x="0.04"
            y="0.04"
            width="0.92"
            height="0.92"
            rx="0.16"
          />
          <rect
            class="cursor-in"
            x="0.04"
            y="0.04"
            width="0.92"
            height="0.92"
            rx="0.16"
          />
        </g>
      )}
    </svg>
  );
}

function star(vertex: string, { size, stones }: OverlayProps): JSX.Element | null {
  const place = placeOf(vertex, size);
  if (!place || signAt(stones, place, size) !== 0) return null;
  return (
    <circle key={vertex} class="star" cx={place[0] + 0.5} cy={place[1] + 0.5} r="0.09" />
  );
}

function lastMark([x, y]: Place, sign: number): JSX.Element {
  return <circle class={`last last-on_${sign}`} cx={x + 0.5} cy={y + 0.5} r="0.22" />;
}

function deadCross(vertex: string, { size, stones }: OverlayProps): JSX.Element | null {
  const place = placeOf(vertex, size);
  if (!place) return null;
  const [x, y] = place;
  const d = `M${x + 0.3} ${y + 0.3}l.4 .4m0 -.4l-.4 .4`;
  return (
    <path key={vertex} class={`dead dead-on_${signAt(stones, place, size)}`} d={d} />
  );
}

/** A square for each point, the larger the surer; none on a stone of its owner, nor
    where something else is drawn. */
function ownedSquares(owned: readonly number[], props: OverlayProps) {
  const { stones, size } = props;
  const covered = new Set(
    props.candidates?.map(({ vertex }) => vertex).concat(props.dead ?? []),
  );
  return owned.flatMap((value, i) => {
    const place: Place = [i % size.width, Math.floor(i / size.width)];
    const owner = Math.sign(value);
    const strength = Math.min(1, Math.abs(value));
    if (strength < 0.12 || owner === signAt(stones, place, size)) return [];
    if (covered.has(vertexAt(place, size))) return [];
    return [square(place, 0.14 + 0.26 * strength, owner)];
  });
}

function square([x, y]: Place, side: number, owner: number): JSX.Element {
  const start = 0.5 - side / 2;
  return (
    <rect
      key={`${x}-${y}`}
      class={`owned owned_${owner}`}
      x={x + start}
      y={y + start}
      width={side}
      height={side}
    />
  );
}

function candidate(spot: Spot, size: Size, cell: number): JSX.Element | null {
  const place = placeOf(spot.vertex, size);
  if (!place) return null;
  const twoLines = cell >= 34 && spot.note !== undefined;
  return (
    <g
      key={spot.vertex}
      class={`spot spot-${spot.rank}`}
      transform={`translate(${place[0] + 0.5} ${place[1] + 0.5})`}
    >
      {spot.chosen && <circle class="spot-chosen" r="0.48" />}
      <circle class="spot-disc" r="0.42" />
      <text
        class="spot-letter"
        y={twoLines ? -0.06 : 0.16}
        font-size={twoLines ? 0.36 : 0.5}
      >
        {spot.letter}
      </text>
      {twoLines && (
        <text class="spot-note" y="0.24" font-size="0.24">
          {spot.note}
        </text>
      )}
    </g>
  );
}
