// What the engine finds: who is ahead, move by move as a graph, and the candidates here.

import { words } from '../lang';
import { CandidateTable } from './CandidateTable';
import { LeadGraph } from './LeadGraph';
import { brief } from './numbers';
import type { Looking } from './record';

interface EnginePanelProps {
  looking: Looking;
  onLine: (line: readonly string[] | null) => void;
}

export function EnginePanel({ looking, onLine }: EnginePanelProps) {
  const t = words.value;
  const on = looking.engine.value;
  const analysis = looking.analysis.value;
  return (
    <section class="card engine" aria-labelledby="engine">
      <div class="row row-spread">
        <h2 id="engine">{t.look.engine}</h2>
        <div class="row">
          <Switch
            text={t.look.ownership}
            keyName="O"
            on={looking.ownership.value}
            off={!on}
            act={() => (looking.ownership.value = !looking.ownership.value)}
          />
          <Switch
            text={t.look.analyze}
            keyName="A"
            on={on}
            act={() => looking.toggleEngine()}
          />
        </div>
      </div>
      {on && (
        <>
          <LeadGraph looking={looking} />
          <p class="estimate" data-testid="lead" data-visits={analysis?.visits ?? 0}>
            {analysis ? (
              <>
                <strong>{t.game.lead(analysis.lead_black)}</strong>{' '}
                <span class="soft">
                  {t.game.winRate(analysis.win_rate_black)} ·{' '}
                  {t.look.visitCount(brief(analysis.visits))}
                </span>
              </>
            ) : (
              <span class="soft">{t.look.thinking}</span>
            )}
          </p>
          {analysis && analysis.candidates.length > 0 && (
            <CandidateTable
              key={looking.node.value}
              candidates={analysis.candidates}
              color={analysis.to_move}
              onLine={onLine}
            />
          )}
        </>
      )}
    </section>
  );
}

interface SwitchProps {
  text: string;
  keyName: string;
  on: boolean;
  off?: boolean;
  act: () => void;
}

function Switch({ text, keyName, on, off, act }: SwitchProps) {
  return (
    <button
      class="button button-small"
      type="button"
      aria-pressed={on}
      aria-keyshortcuts={keyName}
      disabled={off}
      onClick={act}
    >
      {text}
    </button>
  );
}
