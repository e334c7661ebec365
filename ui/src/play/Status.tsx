// One line that says how the game stands, and while the partner thinks, how far it is.

import type { GameView } from '../api/types';
import { words } from '../lang';
import type { Game } from './game';
import { standing } from './news';

export function Status({ game, view }: { game: Game; view: GameView }) {
  const t = words.value;
  const estimate = game.estimate.value;
  const share = game.thinking.value?.share ?? 0;
  return (
    <div class="status">
      {view.failure && (
        <p class="failure" role="alert">
          {t.game.failed(view.failure)}
        </p>
      )}
      <p class="status-line" data-testid="status" data-phase={view.phase}>
        {view.phase === 'playing' && view.thinking ? t.game.thinking : standing(view, t)}
      </p>
      {view.thinking && (
        <progress class="thinking" max={1} value={share} aria-label={t.game.thinking} />
      )}
      {estimate && (
        <p class="estimate" data-testid="estimate">
          <strong>{t.game.lead(estimate.lead_black)}</strong>{' '}
          <span class="soft">{t.game.winRate(estimate.win_rate_black)}</span>
        </p>
      )}
    </div>
  );
}
