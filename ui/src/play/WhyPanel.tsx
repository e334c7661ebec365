// Why the partner moved as it did: what decided, what it believed, what else it saw.

import type { ChoiceView, Why } from '../api/types';
import { words } from '../lang';
import { CandidateTable } from '../look/CandidateTable';
import { share, signedTenths, tenths } from '../look/numbers';
import { CandidateHead, MoveCell, rowClass } from '../look/table';
import { letteredChoice } from './choice';
import { asideSaid, whySaid } from './whySaid';

interface WhyPanelProps {
  why: Why;
  /** Told which line to draw on the board, if any. */
  onLine: (line: readonly string[] | null) => void;
}

export function WhyPanel({ why, onLine }: WhyPanelProps) {
  const t = words.value.game;
  const { choice } = why;
  return (
    <section class="why" aria-labelledby="why" data-testid="why">
      <h3 id="why">{t.whyTitle(why.number, why.color, why.move)}</h3>
      <p data-testid="why-said">{whySaid(why, words.value)}</p>
      <p class="soft">
        {isNumber(choice?.lead)
          ? t.knew(choice.lead, choice.simulations)
          : t.believed(why.win_rate, why.lead, why.visits)}
      </p>
      {choice && <ChoiceTable choice={choice} chosen={why.move} />}
      {why.candidates.length > 0 && (
        <CandidateTable
          key={why.number}
          candidates={why.candidates}
          color={why.color}
          chosen={why.move}
          onLine={onLine}
        />
      )}
    </section>
  );
}

function ChoiceTable({ choice, chosen }: { choice: ChoiceView; chosen: string }) {
  const t = words.value;
  return (
    <table class="candidates" data-testid="considered">
      <caption>{t.game.considered}</caption>
      <CandidateHead columns={[t.game.loss, t.game.natural, t.look.lead]} />
      <tbody>
        {letteredChoice(choice).map(({ letter, candidate }) => (
          <tr key={candidate.move} class={rowClass(candidate.move, chosen)}>
            <th scope="row">{letter}</th>
            <MoveCell move={candidate.move} chosen={chosen}>
              {candidate.set_aside && (
                <span class="hint">{asideSaid(candidate.set_aside, t)}</span>
              )}
            </MoveCell>
            <td>{isNumber(candidate.loss) ? pointsLost(candidate.loss) : '–'}</td>
            <td>{share(candidate.naturalness)}</td>
            <td>{isNumber(candidate.lead) ? signedTenths(candidate.lead) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isNumber = (value: number | null | undefined): value is number =>
  typeof value === 'number';

const pointsLost = (loss: number) => tenths(Math.max(0, loss));
