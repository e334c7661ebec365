// Why the partner moved as it did: what decided, what it believed, what else it saw.

import type { ChoiceView, Why } from '../api/types';
import { words } from '../lang';
import { CandidateTable } from '../look/CandidateTable';
import { share, signed, tenths } from '../look/numbers';
import { letteredChoice } from './choice';

interface WhyPanelProps {
  why: Why;
  /** Told which line to draw on the board, if any. */
  onLine: (line: readonly string[] | null) => void;
}

/** A sentence by its id; one that is new to the page is shown as the server wrote it. */
const said = (table: Record<string, string | undefined>, id: string) => table[id] ?? id;

export function WhyPanel({ why, onLine }: WhyPanelProps) {
  const t = words.value.game;
  const { choice } = why;
  return (
    <section class="why" aria-labelledby="why" data-testid="why">
      <h3 id="why">{t.whyTitle(why.number, why.color, why.move)}</h3>
      {choice ? (
        <Choice choice={choice} chosen={why.move} />
      ) : (
        <>
          <p>{said(t.reasons, why.reason)}</p>
          <p class="soft">{t.believed(why.win_rate, why.lead, why.visits)}</p>
        </>
      )}
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

function Choice({ choice, chosen }: { choice: ChoiceView; chosen: string }) {
  const t = words.value.game;
  const given = choice.candidates.find(({ move }) => move === chosen)?.loss;
  const { target_loss: wanted, lead } = choice;
  return (
    <>
      <p data-testid="rule" data-rule={choice.rule}>
        {[
          said(t.rules, choice.rule),
          isNumber(wanted) && isNumber(given) && t.target(wanted, Math.max(0, given)),
          ...choice.notes.map((note) => said(t.notes, note)),
        ]
          .filter(Boolean)
          .join(t.betweenSentences)}
      </p>
      {isNumber(lead) && <p class="soft">{t.knew(lead, choice.simulations)}</p>}
      {choice.candidates.length > 0 && <ChoiceTable choice={choice} chosen={chosen} />}
    </>
  );
}

function ChoiceTable({ choice, chosen }: { choice: ChoiceView; chosen: string }) {
  const t = words.value;
  return (
    <table class="candidates" data-testid="considered">
      <caption>{t.game.considered}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">{t.look.letter}</span>
          </th>
          <th scope="col">{t.look.move}</th>
          <th scope="col">{t.game.loss}</th>
          <th scope="col">{t.game.natural}</th>
          <th scope="col">{t.look.lead}</th>
        </tr>
      </thead>
      <tbody>
        {letteredChoice(choice).map(({ letter, candidate }) => (
          <tr
            key={candidate.move}
            class={candidate.move === chosen ? 'candidate-chosen' : undefined}
          >
            <th scope="row">{letter}</th>
            <td>
              {t.game.move(candidate.move)}
              {candidate.move === chosen && <span class="tag">{t.look.played}</span>}
              {candidate.set_aside && (
                <span class="hint">{said(t.game.setAside, candidate.set_aside)}</span>
              )}
            </td>
            <td>{isNumber(candidate.loss) ? pointsLost(candidate.loss) : '–'}</td>
            <td>{share(candidate.naturalness)}</td>
            <td>{isNumber(candidate.lead) ? signed(candidate.lead) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isNumber = (value: number | null | undefined): value is number =>
  typeof value === 'number';

const pointsLost = (loss: number) => tenths(Math.max(0, loss));
