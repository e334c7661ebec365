// The form for a new game: what is wrong in it is shown, what is kept from last time too.

import { expect } from 'vitest';
import { e2e } from './browser';
import { program, setStage, visitPage } from './stage';

setStage();

e2e('what is wrong in the fold is shown where it is', async () => {
  const visit = await visitPage();
  const { page } = visit;
  const fold = page.getByText('Rules, handicap, clock…');
  const start = page.getByRole('button', { name: 'Start the game' });
  const focused = (label: string) =>
    expect
      .poll(() =>
        page
          .getByLabel(label, { exact: true })
          .evaluate((it) => it === document.activeElement),
      )
      .toBe(true);
  await fold.click();
  const komi = page.getByLabel('Komi');
  await komi.fill('6.3');
  await fold.click();
  expect(await komi.isVisible()).toBe(false);
  await start.click();
  await focused('Komi');
  await page.getByText('A number with at most one half').waitFor();
  await komi.fill('0.5');

  await page.getByLabel('Clock', { exact: true }).selectOption('own');
  await page.getByLabel('Periods').fill('0');
  await fold.click();
  await start.click();
  await focused('Periods');
  await page.getByLabel('Periods').fill('2');
  await page.getByLabel('Main time (minutes)').fill('0.5');
  await visit.checkAccess();
  await start.click();
  await visit.waitForTurn(0);
  const [game] = (await program.ask<{ games: { settings: object }[] }>('/games')).games;
  expect(game!.settings).toMatchObject({ komi: 0.5, clock: { main_s: 30, periods: 2 } });

  // Next time the fold is closed and says what is kept in it.
  await page.goto(`${program.address}/#/play`);
  const kept = page.getByTestId('unusual');
  await expect.poll(() => kept.innerText()).toBe('komi 0.5 · Clock: my own');
  await fold.click();
  await komi.fill('');
  await page.getByLabel('Clock', { exact: true }).selectOption('none');
  await kept.waitFor({ state: 'detached' });
  await visit.close();
});
