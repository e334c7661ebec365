// The first page: a new game, and the games there are.

import { useEffect, useState } from 'preact/hooks';
import { about, games, reachable } from '../api/client';
import type { About, GameSummary } from '../api/types';
import { words } from '../lang';
import { attempt } from '../shell/notice';
import { GameList } from './GameList';
import { NewGameForm } from './NewGameForm';

export function PlayPage() {
  const t = words.value;
  const [offer, setOffer] = useState<About | null>(null);
  const [list, setList] = useState<GameSummary[] | null>(null);
  const load = async () => {
    const [offered, kept] = await Promise.all([attempt(about), attempt(games.list)]);
    if (offered) setOffer(offered);
    if (kept) setList(kept);
  };
  // Loaded again when a stopped server is back.
  useEffect(() => void (reachable.value && load()), [reachable.value]);
  return (
    <div class="play">
      <h1 class="lead">{t.play.title}</h1>
      <p class="lead-text">{t.play.text}</p>
      <div class="play-columns">
        {offer ? (
          <NewGameForm about={offer} />
        ) : (
          <p class="waiting">{t.common.loading}</p>
        )}
        {list && list.length > 0 && (
          <GameList
            list={list}
            onRemove={async (id) => {
              const removed = await attempt(async () => {
                await games.remove(id);
                return true;
              });
              await load();
              return removed ?? false;
            }}
          />
        )}
      </div>
    </div>
  );
}
