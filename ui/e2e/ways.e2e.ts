// Every way to use the page: languages, themes, a phone, help; and that it stays small.

import { expect } from 'vitest';
import { LANGUAGES } from '../src/lang';
import { e2e, randomMoves } from './browser';
import { program, setStage, visitPage } from './stage';

setStage();

/** Plays some moves over the API and returns the game's id. */
async function gameWith(moves: number, size: number): Promise<string> {
  let game = await program.begin({ size, partner: 'natural', level: '12k' });
  while (game.moves.length < moves) {
    const { length } = game.moves;
    const move = await program.advise(game.id, true);
    await program.ask(`/games/${game.id}/move`, { move, after: length });
    game = await program.until(
      game.id,
      (now) => now.your_turn && now.moves.length > length,
    );
  }
  return game.id;
}

e2e('the language is switched, and remembered', async () => {
  const visit = await visitPage();
  const { page } = visit;
  for (const [code, words] of Object.entries(LANGUAGES).reverse()) {
    await page.locator('select.language').selectOption(code);
    await page.getByRole('button', { name: words.newGame.start }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(code);
    await visit.checkWidth();
  }
  await page.locator('select.language').selectOption('ja');
  await page.reload();
  await page.getByRole('button', { name: '対局開始' }).waitFor();
  await visit.checkAccess();
  await visit.close();

  const id = await gameWith(12, 13);
  const japanese = await visitPage(`#/game/${id}`, {
    locale: 'ja-JP',
  });
  await japanese.page.getByText('あなたの番です').first().waitFor();
  await japanese.picture('japanese');
  await japanese.close();
});

e2e('on a phone everything fits, and a tap on a small board is asked back', async () => {
  const id = await gameWith(16, 19);
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const visit = await visitPage(`#/game/${id}`, phone);
  const { page } = visit;
  await visit.waitForTurn(16);
  await visit.checkWidth();
  await visit.checkAccess();
  const game = await program.game(id);
  const free = ['K10', 'L10', 'K11'].find(
    (vertex) => randomMoves(1) && isFree(game, vertex),
  )!;
  await visit.point(free, 19).tap();
  await page.getByRole('button', { name: `Play ${free}` }).waitFor();
  await visit.picture('phone');
  expect((await program.game(id)).moves.length).toBe(16);
  await page.getByRole('button', { name: `Play ${free}` }).tap();
  await visit.waitForTurn(18);
  for (const at of ['#/play', '#/look']) {
    await page.goto(`${program.address}/${at}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await visit.checkWidth();
    await visit.checkAccess();
  }
  await visit.close();
});

function isFree(game: { position: { stones: number[] } }, vertex: string): boolean {
  const x = 'ABCDEFGHJKLMNOPQRST'.indexOf(vertex[0]!);
  return game.position.stones[(19 - Number(vertex.slice(1))) * 19 + x] === 0;
}

e2e('dark and light follow the system, and the switch', async () => {
  const id = await gameWith(20, 19);
  const visit = await visitPage(`#/game/${id}`, {
    colorScheme: 'dark',
  });
  const { page } = visit;
  await visit.waitForTurn(20);
  const paper = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await paper();
  await visit.checkAccess();
  await visit.picture('dark');
  const theme = page.getByTestId('theme');
  await theme.click();
  const light = await paper();
  expect(light).not.toBe(dark);
  await page.reload();
  expect(await paper()).toBe(light);
  await theme.click();
  expect(await paper()).toBe(dark);
  for (const at of ['#/play', '#/look']) {
    await page.goto(`${program.address}/${at}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await visit.checkAccess();
  }
  await visit.close();
});

e2e('the keys are listed, and letters can be switched off', async () => {
  const game = await program.begin();
  const visit = await visitPage(`#/game/${game.id}`);
  const { page } = visit;
  await visit.waitForTurn(0);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await visit.checkAccess();
  await dialog.getByLabel('Letters as shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('p');
  await page.waitForTimeout(300);
  expect((await program.game(game.id)).moves).toEqual([]);
  await visit.close();
});

e2e('the list of keys begins at its beginning in a small window', async () => {
  const visit = await visitPage('', { viewport: { width: 400, height: 420 } });
  const { page } = visit;
  await page.getByRole('button', { name: 'Keys' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  expect(await dialog.evaluate((it) => it.scrollTop)).toBe(0);
  const title = dialog.getByRole('heading', { name: 'Keys' });
  expect(await title.evaluate((it) => it === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const button = page.getByRole('button', { name: 'Keys' });
  expect(await button.evaluate((it) => it === document.activeElement)).toBe(true);
  await visit.close();
});

e2e('sixty moves leave no memory behind', async () => {
  const game = await program.begin({ size: 13 });
  const visit = await visitPage(`#/game/${game.id}`);
  const { page } = visit;
  const devtools = await page.context().newCDPSession(page);
  const measure = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    const { nodes } = await devtools.send('Memory.getDOMCounters');
    return { heap: usedSize, nodes };
  };
  const choose = randomMoves(17);
  const playTo = async (moves: number) => {
    let now = await program.game(game.id);
    while (now.moves.length < moves) {
      const { length } = now.moves;
      await visit.waitForTurn(length);
      await visit.point(choose(now.position), 13).click();
      now = await program.until(
        game.id,
        (one) => one.your_turn && one.moves.length > length,
      );
    }
    await visit.waitForTurn(now.moves.length);
  };
  await playTo(10);
  const before = await measure();
  await playTo(70);
  const after = await measure();
  console.info(`heap after 10 moves ${before.heap}, after 70 ${after.heap} bytes`);
  console.info(`DOM nodes ${before.nodes}, ${after.nodes}`);
  // A list of 60 moves and their stones may stay, a kept page for each move may not.
  expect(after.heap - before.heap).toBeLessThan(1_000_000);
  expect(after.nodes - before.nodes).toBeLessThan(60 * 20);
  await visit.close();
});

e2e('the page is small, and asks nobody else', async () => {
  const visit = await visitPage();
  const { page } = visit;
  await page.getByRole('button', { name: 'Start the game' }).waitFor();
  const bytes = await page.evaluate(() =>
    [
      ...performance.getEntriesByType('resource'),
      ...performance.getEntriesByType('navigation'),
    ]
      .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize)
      .reduce((sum, size) => sum + size, 0),
  );
  console.info(`the page is ${bytes} bytes over the wire`);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(300_000);
  await visit.close();
});
