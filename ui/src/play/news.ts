// What changed between two views of a game, in words for a screen reader.

import type { Color, GameView } from '../api/types';
import type { Words } from '../lang';

/** Returns what to say about the change, or an empty text if there is nothing to say. */
export function news(before: GameView | null, now: GameView, t: Words): string {
  if (!before) return standing(now, t);
  const said: string[] = [];
  for (const { color, move } of now.moves.slice(before.moves.length)) {
    said.push(t.game.played(color, move));
  }
  if (now.moves.length < before.moves.length) said.push(t.game.takenBack);
  const taken = (color: Color) =>
    now.position.captures[color] - before.position.captures[color];
  if (now.moves.length > before.moves.length) {
    for (const color of ['black', 'white'] as const) {
      if (taken(color) > 0) said.push(t.game.captured(color, taken(color)));
    }
  }
  if (
    now.phase === 'scoring' &&
    (before.phase !== 'scoring' || scoreChanged(before, now))
  ) {
    said.push(now.scoring?.ready ? t.game.scoreNow(now.scoring.score) : t.game.counting);
  }
  if (now.phase !== before.phase || (said.length > 0 && now.your_turn)) {
    said.push(standing(now, t));
  }
  return said.filter(Boolean).join(' ');
}

function scoreChanged(before: GameView, now: GameView): boolean {
  return (
    before.scoring?.score !== now.scoring?.score ||
    before.scoring?.ready !== now.scoring?.ready
  );
}

/** Returns how the game stands: whose turn it is, or how it ended. */
export function standing(view: GameView, t: Words): string {
  if (view.phase === 'finished') return t.game.ended(view.result ?? '', outcome(view));
  if (view.phase === 'scoring') return t.game.scoring;
  return view.your_turn ? t.game.yourTurn(view.settings.your_color) : t.game.partnersTurn;
}

/** Returns how the game went for the student. */
export function outcome(
  view: Pick<GameView, 'winner' | 'settings'>,
): 'won' | 'lost' | 'drawn' {
  if (!view.winner) return 'drawn';
  return view.winner === view.settings.your_color ? 'won' : 'lost';
}
