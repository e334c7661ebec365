// What tables of candidates share: the head, and the cell that names a move.

import type { ComponentChildren } from 'preact';
import { words } from '../lang';

/** The head of a table whose rows begin with a letter and a move. */
export function CandidateHead({ columns }: { columns: readonly string[] }) {
  const t = words.value.look;
  return (
    <thead>
      <tr>
        <th scope="col">
          <span class="unseen">{t.letter}</span>
        </th>
        {[t.move, ...columns].map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface MoveCellProps {
  move: string;
  chosen: string | undefined;
  /** What else is to be said of the move. */
  children?: ComponentChildren;
}

/** A move, and whether it was played. */
export function MoveCell({ move, chosen, children }: MoveCellProps) {
  const t = words.value;
  return (
    <td>
      {t.game.move(move)} {move === chosen && <span class="tag">{t.look.played}</span>}
      {children}
    </td>
  );
}

/** The class of a candidate's row. */
export const rowClass = (move: string, chosen: string | undefined) =>
  move === chosen ? 'candidate-chosen' : undefined;
