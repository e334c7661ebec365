// The moves so far, as a list that can be read and chosen from.

import { useEffect, useRef } from 'preact/hooks';
import type { GameView } from '../api/types';
import { words } from '../lang';
import type { Game } from './game';
import { SgfButtons } from './Finished';

export function Moves({ game, view }: { game: Game; view: GameView }) {
  const t = words.value.game;
  const list = useRef<HTMLOListElement>(null);
  const shown = game.shown.value ?? view.moves.length;
  useEffect(() => {
    // Only the list scrolls; scrollIntoView would move the whole page on a phone.
    const item = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (item && list.current)
      list.current.scrollTop = item.offsetTop - list.current.clientHeight / 2;
  }, [shown]);
  return (
    <details class="moves card" open={view.phase === 'finished' || undefined}>
      <summary>{t.moves(view.moves.length)}</summary>
      <ol
        ref={list}
        class="move-list"
        tabIndex={0}
        aria-label={t.moves(view.moves.length)}
      >
        {view.moves.map(({ number, color, move }) => (
          <li key={number}>
            <button
              type="button"
              aria-current={number === shown ? 'step' : undefined}
              onClick={() => void game.show(number)}
            >
              <span class="soft">{number}</span>
              <span class={`stone stone-${color}`} aria-hidden="true" />
              <span class="unseen">{t.colorName(color)} </span>
              {t.move(move)}
            </button>
          </li>
        ))}
      </ol>
      {view.phase !== 'finished' && (
        <div class="row">
          <SgfButtons id={view.id} />
        </div>
      )}
    </details>
  );
}
