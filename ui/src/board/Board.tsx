// The board: Shudan draws lines, stones and marks; an overlay draws what is ours
// (cursor, preview, candidates, ownership). It can be clicked, tapped, or walked with
// the arrow keys; each step of the cursor is announced.
//
// It knows no rules: the parent says which points may be chosen.

import { Goban, type LineMarker } from '@sabaki/shudan';
import { useMemo, useState } from 'preact/hooks';
import { announce } from '../shell/announce';
import { words } from '../lang';
import { settings } from '../settings';
import { Overlay, type OverlayProps } from './Overlay';
import { markerMap, type Mark } from './marks';
import { rowsOf, signAt } from './signs';
import { useFit } from './useFit';
import { columnName, placeOf, stepFrom, vertexAt, type Place, type Size } from './vertex';

export type Color = 'black' | 'white';

/** Below this many pixels between lines a finger may miss, and is asked to confirm. */
const SMALL_CELL = 34;

export interface BoardProps extends Partial<OverlayProps> {
  size: Size;
  /** From the top left, 1 for Black and -1 for White. */
  stones: readonly number[];
  /** Whose stone a choice would be; none when only looking. */
  turn?: Color | null;
  canChoose?: ((vertex: string) => boolean) | undefined;
  /** `sure` is false for a tap on a small board: ask again before it counts. */
  onChoose?: ((vertex: string, sure: boolean) => void) | undefined;
  marks?: readonly Mark[] | undefined;
  lines?: readonly { from: string; to: string; arrow: boolean }[] | undefined;
  /** Named to screen readers before the size. */
  label: string;
}

export function Board(props: BoardProps) {
  const { size, stones, marks, onChoose } = props;
  const t = words.value;
  const coordinates = settings.value.coordinates;
  const fit = useFit(size, coordinates);
  const [cursor, setCursor] = useState<Place | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const signs = useMemo(() => rowsOf(stones, size), [stones, size.width, size.height]);
  const markers = useMemo(
    () => markerMap(marks ?? [], size),
    [marks, size.width, size.height],
  );
  const may = (vertex: string) => props.canChoose?.(vertex) ?? true;

  const tell = (place: Place) => {
    const vertex = vertexAt(place, size);
    announce(t.board.point(vertex, signAt(stones, place, size)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !onChoose) return;
    const from = cursor ?? middle(size);
    const to = cursor ? stepFrom(from, event.key, size, event.shiftKey ? 3 : 1) : null;
    if (event.key === 'Enter' || event.key === ' ') {
      if (cursor) onChoose(vertexAt(cursor, size), true);
      else setCursor(from);
    } else if (event.key === 'Escape' && cursor) {
      setCursor(null);
    } else if (to) {
      setCursor(to);
      tell(to);
    } else if (event.key.startsWith('Arrow')) {
      setCursor(from);
      tell(from);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const cursorVertex = cursor && vertexAt(cursor, size);
  return (
    <div class="board-fit" ref={fit.ref}>
      <div
        id="board"
        class={`board ${onChoose ? 'board-live' : ''}`}
        tabIndex={onChoose ? 0 : undefined}
        role={onChoose ? 'application' : 'img'}
        aria-label={`${props.label}, ${t.board.size(size.width, size.height)}`}
        aria-describedby={onChoose ? 'board-help' : undefined}
        onKeyDown={onKeyDown}
        onBlur={() => setCursor(null)}
        data-testid="board"
      >
        <div aria-hidden="true" class="board-inner">
          <Goban
            vertexSize={fit.cell}
            signMap={signs}
            markerMap={markers}
            lines={linesOf(props.lines ?? [], size)}
            dimmedVertices={placesOf(props.dead ?? [], size)}
            showCoordinates={coordinates}
            coordX={columnName}
            style={frame(fit.margin, coordinates)}
            onVertexClick={(event, place) => {
              const sure = !isTouch(event) || fit.cell >= SMALL_CELL;
              setCursor(null);
              onChoose?.(vertexAt(place, size), sure);
            }}
            onVertexPointerEnter={(event, place) => {
              if (!isTouch(event)) setHovered(vertexAt(place, size));
            }}
            onVertexPointerLeave={() => setHovered(null)}
          />
          <Overlay
            {...props}
            cell={fit.cell}
            margin={fit.margin}
            cursor={cursorVertex}
            preview={onChoose && props.turn && hovered && may(hovered) ? hovered : null}
          />
        </div>
      </div>
      {onChoose && (
        <p id="board-help" class="unseen">
          {t.board.help}
        </p>
      )}
    </div>
  );
}

const middle = ({ width, height }: Size): Place => [width >> 1, height >> 1];

const isTouch = (event: Event) => 'pointerType' in event && event.pointerType === 'touch';

function frame(margin: number, coordinates: boolean) {
  const tracks = `${margin}px 1fr ${margin}px`;
  return coordinates
    ? { display: 'grid', gridTemplateRows: tracks, gridTemplateColumns: tracks }
    : { display: 'grid', padding: `${margin}px` };
}

function placesOf(vertices: readonly string[], size: Size): [number, number][] {
  return vertices.flatMap((vertex) => {
    const place = placeOf(vertex, size);
    return place ? [[place[0], place[1]] as [number, number]] : [];
  });
}

function linesOf(lines: NonNullable<BoardProps['lines']>, size: Size): LineMarker[] {
  return lines.flatMap(({ from, to, arrow }) => {
    const [v1, v2] = placesOf([from, to], size);
    return v1 && v2
      ? [{ v1, v2, type: arrow ? ('arrow' as const) : ('line' as const) }]
      : [];
  });
}
