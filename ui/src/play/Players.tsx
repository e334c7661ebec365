// The two players: color, name, captures, clock, whose turn it is.

import type { Color, GameView, PositionView } from '../api/types';
import { words } from '../lang';
import { ClockFaceView } from './ClockFaceView';
import type { Game } from './game';
import { playerName } from './names';

interface PlayersProps {
  game: Game;
  view: GameView;
  position: PositionView;
}

export function Players({ game, view, position }: PlayersProps) {
  const mine = view.settings.your_color;
  const other: Color = mine === 'black' ? 'white' : 'black';
  return (
    <div class="players">
      {[other, mine].map((color) => (
        <Player key={color} color={color} game={game} view={view} position={position} />
      ))}
    </div>
  );
}

function Player({ color, game, view, position }: PlayersProps & { color: Color }) {
  const t = words.value.game;
  const { settings } = view;
  const toMove = view.phase === 'playing' && view.position.to_move === color;
  const taken = position.captures[color];
  return (
    <div class={`player ${toMove ? 'player-on' : ''}`}>
      <span class={`stone stone-${color}`} aria-hidden="true" />
      <div class="player-text">
        <strong>
          <span class="unseen">{t.colorName(color)}: </span>
          {playerName(view, color)}
        </strong>
        <span class="player-more">
          {t.taken(taken)}
          {color === 'white' && ` · ${t.komi(settings.komi)}`}
          {color === 'black' &&
            settings.handicap > 0 &&
            ` · ${t.handicap(settings.handicap)}`}
        </span>
      </div>
      {view.clock && (
        <ClockFaceView
          side={view.clock[color]}
          kind={settings.clock?.kind ?? 'absolute'}
          running={view.clock.running === color}
          since={game.arrived.value}
        />
      )}
    </div>
  );
}
