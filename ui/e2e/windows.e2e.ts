// Windows of every shape, and many of them: the board fits beside or above what is to be
// done, a notice is in nobody's way, and a window that is hidden holds no connection.

import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { e2e } from './browser';
import { program, setStage, visitPage } from './stage';

setStage();

const SHAPES = [
  [683, 384],
  [683, 768],
  [844, 390],
  [800, 700],
  [640, 360],
  [390, 844],
  [360, 640],
  [1366, 768],
] as const;

e2e('board and buttons are in the window, whatever its shape', async () => {
  for (const size of [9, 19]) {
    const game = await program.begin({ size });
    for (const [width, height] of SHAPES) {
      const visit = await visitPage(`#/game/${game.id}`, { viewport: { width, height } });
      const { page } = visit;
      const shape = `${size} lines in ${width}×${height}`;
      await visit.waitForTurn(0);
      await visit.checkWidth();
      const board = (await page.locator('.shudan-goban').boundingBox())!;
      expect(board.y + board.height, shape).toBeLessThanOrEqual(height);
      expect(board.width, shape).toBeGreaterThan(Math.min(width, height) * 0.5);
      const pass = (await page.getByRole('button', { name: 'Pass' }).boundingBox())!;
      expect(pass.y + pass.height, shape).toBeLessThanOrEqual(height);
      expect(await cutLetters(page), shape).toEqual([]);
      await visit.close();
    }
  }
});

/** Returns the coordinates that are larger than the margin they stand in. */
function cutLetters(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    ['x', 'y'].flatMap((axis) =>
      [...document.querySelectorAll<HTMLElement>(`.shudan-coord${axis} > div`)]
        .filter((cell) => {
          const side = axis === 'x' ? 'height' : 'width';
          const text = cell.querySelector('span')!.getBoundingClientRect();
          const margin = cell.parentElement!.getBoundingClientRect();
          return text[side] > margin[side];
        })
        .map((cell) => cell.innerText),
    ),
  );
}

e2e('a notice lies beside the board, and clicks go through it', async () => {
  for (const [width, height] of [
    [1366, 768],
    [390, 844],
  ] as const) {
    const game = await program.begin({ size: 19 });
    const visit = await visitPage(`#/game/${game.id}`, { viewport: { width, height } });
    const { page } = visit;
    await visit.waitForTurn(0);
    await page.getByLabel('Point').fill('Z99');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    const notice = page.getByRole('alert');
    await notice.waitFor();
    const box = (await notice.boundingBox())!;
    const board = (await page.locator('.shudan-goban').boundingBox())!;
    if (width > height) expect(box.x).toBeGreaterThanOrEqual(board.x + board.width);
    const hit = await page.evaluate(
      ([x, y]) => document.elementFromPoint(x!, y!)?.closest('.notice') ?? null,
      [box.x + 20, box.y + box.height / 2],
    );
    expect(hit).toBeNull();
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'detached' });
    await visit.close();
  }
});

/** Makes the page believe that it is hidden or seen; a browser without a window shows all. */
async function see(page: Page, seen: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, !seen);
}

e2e('eight windows of games are open, and each can be played in', async () => {
  const games = await Promise.all(Array.from({ length: 8 }, () => program.begin()));
  const visits = [await visitPage(`#/game/${games[0]!.id}`)];
  await visits[0]!.waitForTurn(0);
  for (const { id } of games.slice(1)) {
    await see(visits.at(-1)!.page, false);
    visits.push(await visits[0]!.another(`#/game/${id}`));
    await visits.at(-1)!.waitForTurn(0);
  }
  // Back to the first; what happened meanwhile is there.
  const { id } = games[0]!;
  await program.ask(`/games/${id}/move`, { move: 'E5', after: 0 });
  await program.until(id, (game) => game.your_turn);
  await see(visits.at(-1)!.page, false);
  await see(visits[0]!.page, true);
  await visits[0]!.waitForTurn(2);
  await visits[0]!.page.keyboard.press('u');
  await visits[0]!.waitForTurn(0);
  for (const visit of visits) await visit.close();
});

e2e('a clock runs on while its window is hidden', async () => {
  const clock = { kind: 'byo_yomi', main_s: 2, period_s: 1, periods: 1 } as const;
  const game = await program.begin({ clock });
  const visit = await visitPage(`#/game/${game.id}`);
  await visit.page.getByRole('timer').first().waitFor();
  await see(visit.page, false);
  await program.until(game.id, (now) => now.phase === 'finished');
  expect((await program.game(game.id)).result).toBe('W+T');
  await visit.close();
});
