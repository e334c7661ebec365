// The games there are: unfinished ones first, each to go on with or to look back at.

import { useEffect, useState } from 'preact/hooks';
import { games } from '../api/client';
import type { GameSummary } from '../api/types';
import { MiniBoard } from '../board/MiniBoard';
import { words } from '../lang';
import { KeptList, momentText } from '../shell/KeptList';
import { addressOf } from '../shell/router';
import { partnerText } from './names';

interface GameListProps {
  list: GameSummary[];
  onRemove: (id: string) => Promise<boolean>;
}

const SHOWN_AT_FIRST = 12;

export function GameList({ list, onRemove }: GameListProps) {
  const t = words.value.list;
  const [all, setAll] = useState(false);
  const sorted = list.toSorted(
    (a, b) => rank(a) - rank(b) || b.updated_ms - a.updated_ms,
  );
  const shown = all ? sorted : sorted.slice(0, SHOWN_AT_FIRST);
  const entries = shown.map((game) => ({
    id: game.id,
    address: addressOf({ page: 'game', id: game.id }),
    name: `${partnerText(game.settings)}, ${momentText(game.updated_ms)}`,
    content: (
      <>
        <Thumbnail game={game} />
        <span class="game-text">
          <strong>{partnerText(game.settings)}</strong>
          <span>{stateOf(game)}</span>
          <span class="soft">
            {t.facts(game.settings.size, game.settings.your_color, game.moves)} ·{' '}
            {momentText(game.updated_ms)}
          </span>
        </span>
      </>
    ),
  }));
  return (
    <KeptList title={t.title} entries={entries} texts={t} onRemove={onRemove}>
      {shown.length < sorted.length && (
        <button class="button" type="button" onClick={() => setAll(true)}>
          {t.all(sorted.length)}
        </button>
      )}
    </KeptList>
  );
}

/** The position a game is at; an empty board until it has come. */
function Thumbnail({ game }: { game: GameSummary }) {
  const [stones, setStones] = useState<readonly number[]>([]);
  useEffect(() => {
    games.position(game.id, game.moves).then(
      (position) => setStones(position.stones),
      // A picture is no reason for a message; the list itself will tell what is wrong.
      () => undefined,
    );
  }, [game.id, game.moves]);
  const { size } = game.settings;
  return <MiniBoard size={{ width: size, height: size }} stones={stones} />;
}

const rank = (game: GameSummary) => (game.phase === 'finished' ? 1 : 0);

function stateOf(game: GameSummary): string {
  const t = words.value;
  if (game.phase === 'finished') return t.game.resultText(game.result ?? '');
  return t.list.phases[game.phase];
}
