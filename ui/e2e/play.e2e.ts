// Whole games on 9×9: by clicks, by keyboard alone; undo, resign, counting, restart.

import { expect } from 'vitest';
import type { Estimate, GameView } from '../src/api/types';
import { LANGUAGES } from '../src/lang';
import { vertexAt } from '../src/board/vertex';
import { e2e, randomMoves, type Visit } from './browser';
import { program, setStage, visitPage } from './stage';

setStage();

const gameId = (visit: Visit) => new URL(visit.page.url()).hash.split('/').at(-1)!;

e2e('a whole game by clicks, from the first page to the result', async () => {
  const visit = await visitPage();
  const { page } = visit;
  await page.getByLabel('Level', { exact: true }).selectOption('15k');
  await page.getByText('Rules, handicap, clock…').click();
  await page.getByLabel('Rules', { exact: true }).selectOption('japanese');
  await page.getByLabel('The partner answers at once').check();
  await visit.checkAccess();
  await page.getByRole('button', { name: 'Start the game' }).click();
  await visit.waitForTurn(0);
  let game = await playToTheEnd(visit);
  // Now and then the partner finds its game lost and resigns; then there is another.
  for (let tries = 0; game.result === 'B+R' && tries < 3; tries++) {
    await page.getByRole('button', { name: 'Play again' }).click();
    await visit.waitForTurn(0);
    game = await playToTheEnd(visit);
  }
  const { id } = game;
  // Counting: the engine's proposal can be changed, and changed back.
  expect(game.phase).toBe('scoring');
  game = await program.until(id, (now) => now.scoring?.ready === true);
  const { dead, score: proposed } = game.scoring!;
  const score = () => page.getByTestId('count').getAttribute('data-score');
  const cross = page.locator('.overlay .dead');
  await expect.poll(() => cross.count()).toBe(dead.length);
  expect(await score()).toBe(proposed);
  await visit.checkAccess();
  await visit.picture('counting');
  // A dead chain comes alive and dies again; should there be none, a living one dies.
  const chain = dead[0] ?? stoneOf(game, 'white');
  await visit.point(chain).click();
  await expect.poll(() => cross.count()).not.toBe(dead.length);
  expect(await score()).not.toBe(proposed);
  await visit.point(chain).click();
  await expect.poll(() => cross.count()).toBe(dead.length);
  await page.getByRole('button', { name: 'Agree' }).click();

  const result = page.getByTestId('result');
  expect(await result.getAttribute('data-result')).toBe(proposed);
  await expect.poll(() => visit.said).toContain('The game is over.');
  await why(visit, id);
  await sgf(visit);
  await visit.close();
});

/** Returns a stone of a color, the first from the top left. */
function stoneOf({ position }: GameView, color: 'black' | 'white'): string {
  const i = position.stones.indexOf(color === 'black' ? 1 : -1);
  return vertexAt([i % position.width, Math.floor(i / position.width)], position);
}

/** Plays by clicks, with the engine's advice, until both have passed. */
async function playToTheEnd(visit: Visit): Promise<GameView> {
  const { page } = visit;
  const id = gameId(visit);
  let game = await program.game(id);
  let invaded = false;
  while (game.phase === 'playing') {
    await visit.waitForTurn(game.moves.length);
    let move =
      game.moves.length < 90 ? await program.advise(id, game.moves.length < 50) : 'pass';
    if (move === 'pass' && !invaded) {
      // A last stone where White is sure: it will be dead when the game is counted.
      invaded = true;
      move = await hopelessPoint(id);
    }
    if (move === 'pass') await page.getByRole('button', { name: 'Pass' }).click();
    else await visit.point(move).click();
    const before = game.moves.length;
    game = await program.until(id, (now) => now.moves.length > before && !now.thinking);
    expect(game.moves[before]).toMatchObject({ color: 'black', move });
    if (before === 24) {
      await visit.waitForTurn(game.moves.length);
      await visit.checkAccess();
      await visit.picture('game');
    }
  }
  return game;
}

/** Returns the empty point that is the most surely White's, and may be played. */
async function hopelessPoint(id: string): Promise<string> {
  const { position } = await program.game(id);
  const { ownership } = await program.ask<Estimate>(`/games/${id}/estimate`, {});
  const points = position.stones.map((sign, i) => {
    const vertex = vertexAt([i % 9, Math.floor(i / 9)], position);
    const open = sign === 0 && !position.forbidden.includes(vertex);
    return { vertex, owned: open ? ownership[i]! : Infinity };
  });
  return points.sort((a, b) => a.owned - b.owned)[0]!.vertex;
}

/** After the game: stepping back, and why the partner moved as it did. */
async function why(visit: Visit, id: string) {
  const { page } = visit;
  const game = await program.game(id);
  const asked = game.moves.find((one) => one.has_why && one.number >= 16)!;
  await page.keyboard.press('Home');
  const step = () => page.getByTestId('step').innerText();
  await expect.poll(step).toBe(`0 / ${game.moves.length}`);
  await expect.poll(() => page.locator('.shudan-stone-image').count()).toBe(0);
  await page.getByRole('button', { name: `${asked.number} White ${asked.move}` }).click();
  await expect.poll(step).toBe(`${asked.number} / ${game.moves.length}`);
  await page.getByRole('button', { name: 'Why this move?' }).click();
  const panel = page.getByTestId('why');
  await panel.waitFor();
  expect(await panel.innerText()).toContain(asked.move);
  await expect.poll(() => page.locator('.overlay .spot').count()).toBeGreaterThan(0);
  expect(await page.locator('.overlay .spot-chosen').count()).toBe(1);
  await visit.checkAccess();
  await visit.picture('why');
}

/** The record can be copied as text and saved as a file. */
async function sgf(visit: Visit) {
  const { page } = visit;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy SGF' }).click();
  await page.getByRole('status').filter({ hasText: 'on the clipboard' }).waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toMatch(/^\(;.*SZ\[9\]/s);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save SGF' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.sgf$/);
}

e2e('a whole game by keyboard alone', async () => {
  const visit = await visitPage();
  const { page } = visit;
  const press = (key: string) => page.keyboard.press(key);
  /** Goes on with Tab until the focus is where `selector` says. */
  const tabTo = async (selector: string) => {
    for (let i = 0; i < 60; i++) {
      await press('Tab');
      const there = await page.evaluate(
        (css) => document.activeElement?.matches(css),
        selector,
      );
      if (there) return;
    }
    throw new Error(`Tab does not reach ${selector}`);
  };
  await page.getByRole('button', { name: 'Start the game' }).waitFor();
  await tabTo('summary');
  await press('Enter');
  await tabTo('input[name=partner]');
  while ((await page.locator('input[name=partner]:checked').inputValue()) !== 'human') {
    await press('ArrowDown');
  }
  await tabTo('form > details:last-of-type > summary');
  await press('Enter');
  await tabTo('input[type=checkbox]');
  await press('Space');
  await tabTo('button[type=submit]');
  await press('Enter');
  await visit.waitForTurn(0);
  const id = gameId(visit);
  await tabTo('[data-testid=board]');

  const choose = randomMoves(11);
  let game = await program.game(id);
  for (let turn = 0; game.phase === 'playing'; turn++) {
    await visit.waitForTurn(game.moves.length);
    const move = turn < 14 ? choose(game.position) : 'pass';
    if (move === 'pass') await press('p');
    else await walkTo(visit, move);
    const before = game.moves.length;
    game = await program.until(id, (now) => now.moves.length > before && !now.thinking);
    expect(game.moves[before]).toMatchObject({ color: 'black', move });
    if (turn === 0) {
      const answer = LANGUAGES.en.game.played('white', game.moves[1]!.move);
      await expect.poll(() => visit.said).toContain(answer);
      expect(await visit.said).toContain('Your turn (Black).');
    }
  }
  game = await program.until(id, (now) => now.scoring?.ready === true);
  await page.getByRole('button', { name: 'Agree' }).waitFor();
  await press('a');
  await page.getByTestId('result').waitFor();
  expect((await program.game(id)).phase).toBe('finished');
  await press('w');
  await page.getByTestId('why').waitFor();
  await visit.close();
});

/** Moves the cursor to a point by arrow keys, hearing each step announced, and plays. */
async function walkTo(visit: Visit, vertex: string) {
  const { page } = visit;
  const hear = async (): Promise<[column: string, row: number]> => {
    await expect.poll(() => visit.said).toMatch(/^[A-J]\d, /);
    const said = await visit.said;
    return [said[0]!, Number(said[1])];
  };
  const [column, row] = [vertex[0]!, Number(vertex[1])];
  await page.keyboard.press('ArrowUp');
  let [x, y] = await hear();
  while (x !== column || y !== row) {
    const key = x < column ? 'Right' : x > column ? 'Left' : y < row ? 'Up' : 'Down';
    const before = await visit.said;
    await page.keyboard.press(`Arrow${key}`);
    await expect.poll(() => visit.said).not.toBe(before);
    [x, y] = await hear();
  }
  expect((await visit.said).trim()).toBe(`${vertex}, empty`);
  await page.keyboard.press('Enter');
}

e2e('a point can be typed, and what is wrong with it is said', async () => {
  const game = await program.begin();
  const visit = await visitPage(`#/game/${game.id}`);
  const { page } = visit;
  const field = page.getByLabel('Point');
  await visit.waitForTurn(0);
  await field.fill('Z9');
  await field.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'no point of this board' }).waitFor();
  await field.fill('e5');
  await field.press('Enter');
  await visit.waitForTurn(2);
  await expect.poll(() => field.inputValue()).toBe('');
  // What is refused stays to be corrected.
  await field.fill('e5');
  await field.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await field.inputValue()).toBe('e5');
  await page.getByRole('button', { name: 'Close' }).click();
  expect((await program.game(game.id)).moves[0]).toMatchObject({ move: 'E5' });
  await visit.point('E5').click();
  await page.getByRole('alert').filter({ hasText: 'There is a stone at E5.' }).waitFor();
  await visit.close();
});

e2e('undo, estimate, resign', async () => {
  const game = await program.begin();
  const visit = await visitPage(`#/game/${game.id}`);
  const { page } = visit;
  await visit.waitForTurn(0);
  expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
  for (const [i, vertex] of ['E5', 'C3'].entries()) {
    const now = await program.game(game.id);
    const free = now.position.stones[vertex === 'E5' ? 40 : 56] === 0 ? vertex : 'G7';
    await visit.point(free).click();
    await visit.waitForTurn(2 * i + 2);
  }
  await page.getByRole('button', { name: 'Undo' }).click();
  await visit.waitForTurn(2);
  await page.keyboard.press('u');
  await visit.waitForTurn(0);
  await expect.poll(() => page.locator('.shudan-stone-image').count()).toBe(0);

  await visit.point('E5').click();
  await visit.waitForTurn(2);
  await page.keyboard.press('e');
  await page.getByTestId('estimate').waitFor();
  expect(await page.locator('.overlay .owned').count()).toBeGreaterThan(10);
  await visit.picture('estimate');
  await page.keyboard.press('e');
  await page.getByTestId('estimate').waitFor({ state: 'detached' });

  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await program.game(game.id)).phase).toBe('playing');
  await page.getByRole('button', { name: 'Resign' }).click();
  await visit.checkAccess();
  await dialog.getByRole('button', { name: 'Resign' }).click();
  await page.getByTestId('result').waitFor();
  expect((await program.game(game.id)).result).toBe('W+R');
  await visit.close();
});

e2e('a double click and a held key take back one turn', async () => {
  const game = await program.begin();
  const visit = await visitPage(`#/game/${game.id}`);
  const { page } = visit;
  const moves = async () => (await program.game(game.id)).moves.length;
  const choose = randomMoves(3);
  for (let length = 0; length < 8; length += 2) {
    await visit.waitForTurn(length);
    await visit.point(choose((await program.game(game.id)).position)).click();
  }
  await visit.waitForTurn(8);
  await page.getByRole('button', { name: 'Undo' }).dblclick({ delay: 40 });
  await visit.waitForTurn(6);
  await page.waitForTimeout(300);
  expect(await moves()).toBe(6);
  // As a key that is held down comes: again and again without being let go.
  for (let i = 0; i < 20; i++) await page.keyboard.down('u');
  await page.keyboard.up('u');
  await visit.waitForTurn(4);
  await page.waitForTimeout(300);
  expect(await moves()).toBe(4);
  await page.getByRole('button', { name: 'Undo' }).focus();
  for (let i = 0; i < 20; i++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await visit.waitForTurn(2);
  await page.waitForTimeout(300);
  expect(await moves()).toBe(2);
  await visit.close();
});

e2e('looking back in a game says so, and a click leads back', async () => {
  const game = await program.begin();
  await program.ask(`/games/${game.id}/move`, { move: 'E5', after: 0 });
  await program.until(game.id, (now) => now.your_turn);
  const visit = await visitPage(`#/game/${game.id}`);
  const { page } = visit;
  const stones = page.locator('.shudan-stone-image');
  const status = page.getByTestId('status');
  await visit.waitForTurn(2);
  await page.getByTestId('board').focus();
  const focused = () =>
    page.getByTestId('board').evaluate((it) => it === document.activeElement);
  await page.keyboard.press('[');
  await expect.poll(() => status.innerText()).toBe('Move 1 of 2.');
  await expect.poll(() => stones.count()).toBe(1);
  await visit.checkAccess();
  await page.keyboard.press('Home');
  await expect.poll(() => status.innerText()).toBe('Before the first move.');
  await expect.poll(() => stones.count()).toBe(0);
  expect(await page.getByTestId('board').getAttribute('role')).toBe('application');
  expect(await focused()).toBe(true);
  // A click on the old position plays nothing.
  await visit.point('J1').click();
  await page.getByRole('status').filter({ hasText: 'as it stands' }).waitFor();
  await visit.waitForTurn(2);
  expect((await program.game(game.id)).moves.length).toBe(2);
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Back to the game' }).click();
  await visit.waitForTurn(2);
  expect(await focused()).toBe(true);
  await visit.close();
});

e2e('the keyboard’s place is kept when a button is done with', async () => {
  const game = await program.begin();
  const visit = await visitPage(`#/game/${game.id}`);
  const { page } = visit;
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  await visit.waitForTurn(0);
  await page.getByRole('button', { name: 'Pass' }).focus();
  await page.keyboard.press('Enter');
  await visit.waitForTurn(2);
  expect(await focused()).toBe('Pass');
  await page.getByRole('button', { name: 'Estimate' }).focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('estimate').waitFor();
  expect(await focused()).toBe('Hide estimate');
  await page.getByRole('button', { name: 'Resign' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await focused()).toBe('Resign');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Resign' }).click();
  await page.getByTestId('result').waitFor();
  await expect.poll(focused).toBe('You lost');
  await visit.close();
});

e2e('a killed server loses nothing, and the page goes on by itself', async () => {
  const game = await program.begin();
  const visit = await visitPage(`#/game/${game.id}`);
  const { page } = visit;
  await visit.waitForTurn(0);
  await visit.point('E5').click();
  await visit.waitForTurn(2);
  const before = await program.game(game.id);
  await program.end('SIGKILL');
  await page.getByRole('alert').filter({ hasText: 'shido does not answer' }).waitFor();
  await program.run();
  await page.getByText('shido does not answer').waitFor({ state: 'detached' });
  expect((await program.game(game.id)).moves).toEqual(before.moves);
  const free = before.position.stones[56] === 0 ? 'C3' : 'G7';
  await visit.point(free).click();
  await visit.waitForTurn(4);

  // Left and resumed from the list, after a reload.
  await page.goto(program.address);
  await page.reload();
  await page.getByTestId('kept').first().getByRole('link').click();
  await visit.waitForTurn(4);
  await visit.close();
});

e2e('a game has a clock that runs, and its owner may lose on it', async () => {
  const clock = { kind: 'byo_yomi', main_s: 1, period_s: 1, periods: 1 } as const;
  const game = await program.begin({ clock });
  const visit = await visitPage(`#/game/${game.id}`);
  const timers = visit.page.getByRole('timer');
  await timers.first().waitFor();
  expect(await timers.count()).toBe(2);
  await visit.page.getByTestId('result').waitFor();
  expect((await program.game(game.id)).result).toBe('W+T');
  await visit.close();
});

e2e('games can be deleted, and a deleted one says so', async () => {
  const game = await program.begin();
  const visit = await visitPage(`#/game/${game.id}`);
  await visit.waitForTurn(0);
  await visit.page.goto(`${program.address}/#/play`);
  const cards = visit.page.getByTestId('kept');
  await cards.first().waitFor();
  const before = await cards.count();
  await cards.first().getByRole('button', { name: 'Delete' }).click();
  await visit.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => cards.count()).toBe(before - 1);
  await expect.poll(() => visit.said).toContain('The game was deleted.');
  const focused = () => visit.page.evaluate(() => document.activeElement?.textContent);
  expect(await focused()).toBe('Your games');
  await visit.page.goto(`${program.address}/#/game/${game.id}`);
  await visit.page.getByText('This game is not here').waitFor();
  await visit.close();
});
