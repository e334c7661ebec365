// With the coach's partners: a game at a level, why each move was played, in every
// language; and the level that follows the results.

import { expect } from 'vitest';
import type { AutoLevelView, GameView, Why } from '../src/api/types';
import { LANGUAGES } from '../src/lang';
import { letteredChoice } from '../src/play/choice';
import { e2e, randomMoves } from './browser';
import { program, setStage, visitPage } from './stage';

setStage();

/** Plays so many moves over the API, then resigns. */
async function playAndResign(moves: number, level: string): Promise<GameView> {
  let game = await program.begin({ partner: 'natural', level });
  const choose = randomMoves(5);
  while (game.moves.length < moves && game.phase === 'playing') {
    const { length } = game.moves;
    const move = choose(game.position);
    await program.ask(`/games/${game.id}/move`, { move, after: length });
    game = await program.until(
      game.id,
      (now) => now.moves.length > length && !now.thinking,
    );
  }
  if (game.phase !== 'playing') return game;
  const after = game.moves.length;
  return program.ask<GameView>(`/games/${game.id}/move`, { move: 'resign', after });
}

e2e('after a game at 15k every language says why the partner played', async () => {
  const { id } = await playAndResign(10, '15k');
  const why = await program.ask<Why>(`/games/${id}/moves/6/why`);
  const { rule, candidates } = why.choice!;
  for (const [code, words] of Object.entries(LANGUAGES)) {
    const visit = await visitPage(`#/game/${id}`, { locale: code });
    const { page } = visit;
    await page.getByTestId('result').waitFor();
    const name = `${words.names.partners.natural} · ${words.names.rank('15k')}`;
    await page.locator('.players').getByText(name).waitFor();
    for (let step = 0; step < 5; step++) await page.keyboard.press('[');
    await expect.poll(() => page.getByTestId('step').innerText()).toBe('6 / 11');
    await page.getByRole('button', { name: words.game.why }).click();
    const said = page.getByTestId('why-said');
    await said.waitFor();
    const rules: Record<string, string> = words.game.rules;
    expect(await said.innerText()).toContain(rules[rule]);
    const rows = page.getByTestId('considered').locator('tbody tr');
    expect(await rows.count()).toBe(Math.min(8, candidates.length));
    expect(await rows.first().innerText()).toContain('%');
    const listed = letteredChoice(why.choice!);
    const stones = listed.filter(({ candidate }) => candidate.move !== 'pass');
    await expect.poll(() => page.locator('.overlay .spot').count()).toBe(stones.length);
    expect(await page.locator('.overlay .spot-chosen').count()).toBe(1);
    await visit.checkWidth();
    await visit.checkAccess();
    await visit.close();
  }
});

e2e('the automatic level follows results, and the page shows where', async () => {
  const before = await program.ask<AutoLevelView>('/level');
  const visit = await visitPage();
  const { page } = visit;
  const level = page.getByLabel('Level', { exact: true });
  await level.waitFor();
  const chosen = () => level.locator('option:checked').innerText();
  await expect.poll(chosen).toBe(`Automatic (now ${before.level})`);
  // What a rank means is said, with its rank elsewhere.
  await level.selectOption('8k');
  await page.getByText('about 5k on Fox').waitFor();
  await level.selectOption('auto');

  const { id } = await playAndResign(12, 'auto');
  const after = await program.ask<AutoLevelView>('/level');
  expect(after.games[0]).toMatchObject({ game: id, outcome: 'lost' });
  expect(after.level).not.toBe(before.level);
  await page.goto(`${program.address}/#/game/${id}`);
  await page.getByTestId('next-level').getByText(after.level).waitFor();
  await page.getByRole('button', { name: 'Play again' }).click();
  await page.getByText(`Natural · ${after.level}`).first().waitFor();
  await page.goto(`${program.address}/#/play`);
  await expect.poll(chosen).toBe(`Automatic (now ${after.level})`);
  await page.getByTestId('kept').first().waitFor();
  await visit.picture('new-game');
  await visit.close();
});

e2e('partners for the curious are folded away, and each says how it plays', async () => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const visit = await visitPage('', phone);
  const { page } = visit;
  await page.getByText('Partner: Natural').tap();
  await page.getByText('Natural moves that keep the game close.').waitFor();
  const naive = page.getByRole('radio', { name: /Even chances/ });
  expect(await naive.isVisible()).toBe(false);
  await page.getByText('More partners, for the curious').tap();
  await naive.check();
  await visit.checkWidth();
  await visit.checkAccess();
  await page.getByText('Rules, handicap, clock…').tap();
  const komi = page.getByLabel('Komi');
  const usual = await komi.getAttribute('placeholder');
  await page.getByLabel('Handicap').selectOption('2');
  expect(await komi.getAttribute('placeholder')).not.toBe(usual);
  await page.getByLabel('The partner answers at once').check();
  await page.getByRole('button', { name: 'Start the game' }).tap();
  await visit.waitForTurn(1);
  await visit.close();
});

e2e('the default partner answers on every board', async () => {
  const times: number[] = [];
  for (const size of [9, 13, 19]) {
    const game = await program.begin({ partner: 'natural', level: 'auto', size });
    const begun = performance.now();
    await program.ask(`/games/${game.id}/move`, { move: 'D4', after: 0 });
    const { moves } = await program.until(game.id, (now) => now.your_turn);
    times.push(Math.round(performance.now() - begun));
    expect(moves[1]).toMatchObject({ color: 'white', has_why: true });
  }
  console.info(`first moves on 9, 13 and 19 lines after ${times.join(', ')} ms`);
});
