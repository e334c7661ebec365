// What can be done besides putting a stone: pass, undo, estimate, resign.

import { useState } from 'preact/hooks';
import type { GameView } from '../api/types';
import { words } from '../lang';
import { Icon, type IconName } from '../shell/Icon';
import type { Game } from './game';

interface ActionsProps {
  game: Game;
  view: GameView;
  onResign: () => void;
}

export function Actions({ game, view, onResign }: ActionsProps) {
  const t = words.value.game;
  const [estimating, setEstimating] = useState(false);
  const estimate = async () => {
    setEstimating(true);
    await game.toggleEstimate();
    setEstimating(false);
  };
  return (
    <div class="actions">
      <Action
        icon="pass"
        text={t.pass}
        keyName="P"
        off={!view.your_turn}
        act={() => void game.play('pass')}
      />
      <Action
        icon="undo"
        text={t.undo}
        keyName="U"
        off={!view.can_undo}
        act={() => void game.undo()}
      />
      <Action
        icon="scale"
        text={game.estimate.value ? t.hideEstimate : t.estimate}
        keyName="E"
        off={estimating}
        on={game.estimate.value !== null}
        act={() => void estimate()}
      />
      <Action icon="flag" text={t.resign} keyName="R" act={onResign} />
    </div>
  );
}

interface ActionProps {
  icon: IconName;
  text: string;
  keyName: string;
  off?: boolean;
  on?: boolean;
  act: () => void;
}

function Action({ icon, text, keyName, off, on, act }: ActionProps) {
  return (
    <button
      class="action"
      type="button"
      disabled={off}
      aria-pressed={on}
      aria-keyshortcuts={keyName}
      onClick={act}
    >
      <Icon name={icon} />
      <span>{text}</span>
    </button>
  );
}
