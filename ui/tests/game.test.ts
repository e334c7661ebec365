import { afterEach, expect, test, vi } from 'vitest';
import { LANGUAGES } from '../src/lang';
import { Game, later } from '../src/play/game';
import { news } from '../src/play/news';
import { announcement } from '../src/shell/announce';
import { notice } from '../src/shell/notice';
import { gameView } from './samples';

const en = LANGUAGES.en;

afterEach(() => vi.unstubAllGlobals());

/** Answers every request with `body`, and returns the requests that were made. */
function answerWith(body: unknown, status = 200): [path: string, sent: unknown][] {
  const requests: [string, unknown][] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    requests.push([
      path,
      typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    ]);
    return new Response(JSON.stringify(body), { status });
  });
  return requests;
}

test('moves, captures and turns are said', () => {
  const before = gameView(['black D4']);
  const now = gameView(['black D4', 'white E5']);
  expect(news(before, now, en)).toBe('White E5. Your turn (Black).');
  const taken = {
    ...now,
    position: { ...now.position, captures: { black: 0, white: 2 } },
  };
  expect(news(before, taken, en)).toContain('White takes 2 stones.');
  expect(news(before, gameView(['black D4', 'white pass']), en)).toContain(
    'White passes.',
  );
  expect(news(now, now, en)).toBe('');
  expect(news(now, gameView([]), en)).toContain('Taken back.');
});

test('the end of a game is said', () => {
  const before = gameView(['black D4']);
  const over = gameView(['black D4'], {
    phase: 'finished',
    result: 'B+R',
    winner: 'black',
  });
  expect(news(before, over, en)).toBe(
    'The game is over. Black wins by resignation. Well played!',
  );
});

test('a view that arrives late changes nothing', () => {
  const old = gameView(['black D4']);
  const now = gameView(['black D4', 'white E5']);
  expect(later(now, old)).toBe(now);
  expect(later(old, now)).toBe(now);
  const game = new Game('a');
  game.take(now);
  game.take(old);
  expect(game.view.value).toBe(now);
});

test('a move is sent once, with the number of moves seen', async () => {
  const after = gameView(['black D4', 'white E5', 'black C3']);
  const requests = answerWith(after);
  const game = new Game('a/b');
  game.take(gameView(['black D4', 'white E5']));
  await Promise.all([game.play('C3'), game.play('C3')]);
  expect(requests).toEqual([['/api/games/a%2Fb/move', { move: 'C3', after: 2 }]]);
  expect(game.view.value).toEqual(after);
  expect(game.sent.value).toBeNull();
  expect(announcement.value).toContain('Black C3.');
});

test('a turn is taken back once, from the moves that were seen', async () => {
  const requests = answerWith(gameView([]));
  const game = new Game('a');
  game.take(gameView(['black D4', 'white E5']));
  await Promise.all([game.undo(), game.undo(), game.play('pass')]);
  expect(requests).toEqual([['/api/games/a/undo', { after: 2 }]]);
});

test('an estimate that comes after a move is asked for again', async () => {
  const game = new Game('a');
  game.take(gameView(['black D4']));
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    if (asked.length === 1) game.take(gameView(['black D4', 'white E5']));
    const lead_black = asked.length;
    return new Response(JSON.stringify({ lead_black, win_rate_black: 0.5 }));
  });
  await Promise.all([game.toggleEstimate(), game.toggleEstimate()]);
  expect(asked.length).toBe(2);
  expect(game.estimate.value?.lead_black).toBe(2);
  expect(game.estimating.value).toBe(false);
});

test('a refusal is told and the game stays as it was', async () => {
  answerWith({ code: 'illegal_move', message: 'no' }, 409);
  const game = new Game('a');
  const view = gameView([]);
  game.take(view);
  await game.play('D4');
  expect(game.view.value).toBe(view);
  expect(game.sent.value).toBeNull();
  expect(notice.value).toEqual({ kind: 'error', text: en.errors.byCode.illegal_move });
});

test('looking back ends when a move is played', async () => {
  const game = new Game('a');
  game.take(gameView(['black D4', 'white E5']));
  answerWith(gameView(['black D4']).position);
  await game.show(1);
  expect(game.shown.value).toBe(1);
  expect(game.position.value?.move_number).toBe(1);
  game.take(gameView(['black D4', 'white E5', 'black C3']));
  expect(game.shown.value).toBeNull();
  expect(game.position.value?.move_number).toBe(3);
});

test('a game that does not exist is told, not waited for', async () => {
  answerWith({ code: 'not_found', message: 'no such game' }, 404);
  const game = new Game('nobody');
  await game.check();
  expect(game.gone.value).toBe(en.errors.byCode.not_found);
});
