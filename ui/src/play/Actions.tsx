// What can be done besides putting a stone: pass, undo, estimate, resign.
//
// A button that is off keeps the focus, so that the keyboard is not thrown back to the top
// of the page at every turn. The second click of a double click does nothing, nor does Enter
// held down: the answer to the first is often quicker, and the next would count for the turn
// after it.

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
        off={game.estimating.value}
        on={game.estimate.value !== null}
        act={() => void game.toggleEstimate()}
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
      aria-disabled={off}
      aria-pressed={on}
      aria-keyshortcuts={keyName}
      onKeyDown={(event) =>
        event.repeat && event.key === 'Enter' && event.preventDefault()
      }
      onClick={(event) => {
        if (!off && event.detail < 2) act();
      }}
    >
      <Icon name={icon} />
      <span>{text}</span>
    </button>
  );
}
