// Which candidate's line is drawn on the board, whatever a person uses: a mouse points at
// the row, the keyboard goes to its button, a finger taps it.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { CandidateView } from '../api/types';
import type { Mark } from '../board/marks';
import { words } from '../lang';
import { announce } from '../shell/announce';

type Candidate = Pick<CandidateView, 'move' | 'line'>;

export interface Lines {
  /** The move whose line stays drawn. */
  held: string | null;
  /** Whether a line is drawn; then the rows had better stay where they are. */
  active: boolean;
  point: (move: string | null) => void;
  /** What a row needs to be pointed at and chosen. */
  row: (candidate: Candidate) => {
    onPointerEnter: (event: PointerEvent) => void;
    onPointerLeave: () => void;
    onClick: () => void;
  };
}

export function useLines(
  candidates: readonly Candidate[],
  onLine: (line: readonly string[] | null) => void,
): Lines {
  const [pointed, point] = useState<string | null>(null);
  const [held, hold] = useState<string | null>(null);
  const shown = candidates.find(({ move }) => move === (pointed ?? held));
  const line = shown && shown.line.length > 0 ? shown.line : null;
  // The same line may come again and again while the engine thinks.
  useEffect(() => onLine(line), [line?.join(' ')]);
  useEffect(() => () => onLine(null), []);
  return {
    held,
    active: (pointed ?? held) !== null,
    point,
    row: ({ move, line }) => ({
      onPointerEnter: (event) => {
        if (event.pointerType !== 'touch') point(move);
      },
      onPointerLeave: () => point(null),
      onClick: () => {
        hold(held === move ? null : move);
        if (held !== move) announce(line.map(words.value.game.move).join(', '));
      },
    }),
  };
}

/**
 * Keeps rows in their order while `still`: what a person points at or has the focus on does
 * not move away under them, however the engine changes its mind.
 */
export function useOrder<T>(rows: T[], nameOf: (row: T) => string, still: boolean): T[] {
  const order = useRef<string[]>([]);
  const place = (row: T) => {
    const at = order.current.indexOf(nameOf(row));
    return at < 0 ? order.current.length : at;
  };
  const shown = still ? rows.toSorted((a, b) => place(a) - place(b)) : rows;
  order.current = shown.map(nameOf);
  return shown;
}

interface LineButtonProps {
  letter: string;
  candidate: Candidate;
  lines: Lines;
}

/** The letter of a row; its click is the row's. */
export function LineButton({ letter, candidate, lines }: LineButtonProps) {
  const t = words.value;
  return (
    <button
      type="button"
      class="letter"
      aria-pressed={lines.held === candidate.move}
      aria-label={t.look.showLine(letter, t.game.move(candidate.move))}
      disabled={candidate.line.length === 0}
      onFocus={(event) => {
        if (event.currentTarget.matches(':focus-visible')) lines.point(candidate.move);
      }}
      onBlur={() => lines.point(null)}
    >
      {letter}
    </button>
  );
}

/** An engine's line as numbers on the points it goes to; a point's first visit counts. */
export function numbered(line: readonly string[]): Mark[] {
  const marks = line.map((vertex, i) => ({
    vertex,
    kind: 'label' as const,
    label: String(i + 1),
  }));
  return marks.toReversed();
}
