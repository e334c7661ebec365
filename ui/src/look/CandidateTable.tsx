// The candidates in numbers, with the letters that are on the board. A row's line is drawn
// while it is pointed at or has the focus; a click, a tap or Enter keeps it drawn.

import { words } from '../lang';
import type { CandidateView, Color } from '../api/types';
import { lettered } from './candidates';
import { LineButton, useLines, useOrder } from './lines';
import { brief, percent, signed } from './numbers';

interface CandidateTableProps {
  candidates: readonly CandidateView[];
  /** Whose move it is, and whose numbers these are. */
  color: Color;
  chosen?: string;
  /** Told which line to draw, if any. */
  onLine: (line: readonly string[] | null) => void;
}

export function CandidateTable(props: CandidateTableProps) {
  const { candidates, color, chosen } = props;
  const t = words.value;
  const lines = useLines(candidates, props.onLine);
  const rows = useOrder(
    lettered(candidates, chosen),
    ({ candidate }) => candidate.move,
    lines.active,
  );
  return (
    <table class="candidates" data-testid="candidates">
      <caption>{t.look.candidatesFor(color)}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">{t.look.letter}</span>
          </th>
          <th scope="col">{t.look.move}</th>
          <th scope="col">{t.look.lead}</th>
          <th scope="col">{t.look.winRate}</th>
          <th scope="col">{t.look.visits}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ letter, candidate }) => (
          <tr
            key={candidate.move}
            class={candidate.move === chosen ? 'candidate-chosen' : undefined}
            {...lines.row(candidate)}
          >
            <th scope="row">
              <LineButton letter={letter} candidate={candidate} lines={lines} />
            </th>
            <td>
              {t.game.move(candidate.move)}{' '}
              {candidate.move === chosen && <span class="tag">{t.look.played}</span>}
            </td>
            <td>{signed(candidate.lead)}</td>
            <td>{percent(candidate.win_rate)}</td>
            <td>{brief(candidate.visits)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
