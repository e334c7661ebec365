// One line that says how the game stands, and while the partner thinks, how far it is. When
// an earlier position is on the board it says which, with the way back.

import type { GameView } from '../api/types';
import { words } from '../lang';
import { focusOn } from '../shell/focus';
import type { Game } from './game';
import { standing } from './news';

export function Status({ game, view }: { game: Game; view: GameView }) {
  const t = words.value;
  const estimate = game.estimate.value;
  const share = game.thinking.value?.share ?? 0;
  const shown = game.shown.value;
  return (
    <div class="status">
      {view.failure && (
        <p class="failure" role="alert">
          {t.game.failed(view.failure)}
        </p>
      )}
      <div class="row row-spread">
        <p class="status-line" data-testid="status" data-phase={view.phase}>
          {shown !== null
            ? t.game.shownMove(shown, view.moves.length)
            : view.phase === 'playing' && view.thinking
              ? t.game.thinking
              : standing(view, t)}
        </p>
        {shown !== null && (
          <button
            class="button button-main button-small"
            type="button"
            onClick={() => {
              game.showLive();
              focusOn('board');
            }}
          >
            {t.game.backToGame}
          </button>
        )}
      </div>
      {view.thinking && (
        <progress class="thinking" max={1} value={share} aria-label={t.game.thinking} />
      )}
      {game.estimating.value && <p class="soft">{t.game.estimating}</p>}
      {estimate && (
        <p class="estimate" data-testid="estimate">
          <strong>{t.game.lead(estimate.lead_black)}</strong>{' '}
          <span class="soft">{t.game.winRate(estimate.win_rate_black)}</span>
        </p>
      )}
    </div>
  );
}
