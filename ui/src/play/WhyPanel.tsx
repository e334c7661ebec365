// Why the partner moved as it did: what decided, what it believed, what else it saw.

import type { Why } from '../api/types';
import { words } from '../lang';
import { CandidateTable } from '../look/CandidateTable';

interface WhyPanelProps {
  why: Why;
  /** Told which line to draw on the board, if any. */
  onLine: (line: readonly string[] | null) => void;
}

export function WhyPanel({ why, onLine }: WhyPanelProps) {
  const t = words.value.game;
  const reasons: Record<string, string | undefined> = t.reasons;
  return (
    <section class="why" aria-labelledby="why" data-testid="why">
      <h3 id="why">{t.whyTitle(why.number, why.color, why.move)}</h3>
      <p>{reasons[why.reason] ?? why.reason}</p>
      <p class="soft">{t.believed(why.win_rate, why.lead, why.visits)}</p>
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
