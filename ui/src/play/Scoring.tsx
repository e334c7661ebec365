// After two passes: the dead stones the engine proposes, the count, and agreement.

import type { GameView, ScoringView, SideCount } from '../api/types';
import { words } from '../lang';
import { Icon } from '../shell/Icon';
import type { Game } from './game';

export function Scoring({ game, view }: { game: Game; view: GameView }) {
  const t = words.value.game;
  const scoring = view.scoring;
  return (
    <section class="card" aria-labelledby="scoring">
      <h2 id="scoring">{t.scoringTitle}</h2>
      {!scoring?.ready && <p>{t.counting}</p>}
      {scoring?.ready && (
        <>
          <p>{t.deadHelp}</p>
          <Count scoring={scoring} />
          <div class="row">
            <button
              class="button button-main"
              type="button"
              aria-keyshortcuts="A"
              onClick={() => void game.agree()}
            >
              <Icon name="check" />
              {t.agree}
            </button>
            <button
              class="button"
              type="button"
              aria-keyshortcuts="C"
              onClick={() => void game.resume()}
            >
              {t.playOn}
            </button>
          </div>
        </>
      )}
    </section>
  );
}

/** The count as a table, by the rules of the game. */
export function Count({ scoring }: { scoring: ScoringView }) {
  const t = words.value.game;
  const area = scoring.counting === 'area';
  const row = (text: string, of: (side: SideCount) => number) => (
    <tr>
      <th scope="row">{text}</th>
      <td>{of(scoring.black)}</td>
      <td>{of(scoring.white)}</td>
    </tr>
  );
  return (
    <table class="count" data-testid="count" data-score={scoring.score}>
      <thead>
        <tr>
          <td />
          <th scope="col">{t.colorName('black')}</th>
          <th scope="col">{t.colorName('white')}</th>
        </tr>
      </thead>
      <tbody>
        {row(t.countTerritory, (side) => side.territory)}
        {area
          ? row(t.countStones, (side) => side.stones)
          : row(t.countPrisoners, (side) => side.prisoners)}
        <tr>
          <th scope="row">{t.countKomi}</th>
          <td />
          <td>{scoring.compensation}</td>
        </tr>
        <tr class="count-sum">
          <th scope="row">{t.countSum}</th>
          <td>{scoring.black.points}</td>
          <td>{scoring.white.points + scoring.compensation}</td>
        </tr>
      </tbody>
    </table>
  );
}
