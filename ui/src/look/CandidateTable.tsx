// The candidates in numbers, with the letters that are on the board. A row's line is drawn
// while it is pointed at or has the focus; a click, a tap or Enter keeps it drawn.

import { words } from '../lang';
import type { CandidateView, Color } from '../api/types';
import { lettered } from './candidates';
import { LineButton, useLines, useOrder } from './lines';
import { brief, percent, signedTenths } from './numbers';
import { CandidateHead, MoveCell, rowClass } from './table';

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
  const t = words.value.look;
  const lines = useLines(candidates, props.onLine);
  const rows = useOrder(
    lettered(candidates, chosen),
    ({ candidate }) => candidate.move,
    lines.active,
  );
  return (
    <table class="candidates" data-testid="candidates">
      <caption>{t.candidatesFor(color)}</caption>
      <CandidateHead columns={[t.lead, t.winRate, t.visits]} />
      <tbody>
        {rows.map(({ letter, candidate }) => (
          <tr
            key={candidate.move}
            class={rowClass(candidate.move, chosen)}
            {...lines.row(candidate)}
          >
            <th scope="row">
              <LineButton letter={letter} candidate={candidate} lines={lines} />
            </th>
            <MoveCell move={candidate.move} chosen={chosen} />
            <td>{signedTenths(candidate.lead)}</td>
            <td>{percent(candidate.win_rate)}</td>
            <td>{brief(candidate.visits)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
