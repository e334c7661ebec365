// With a network of the user's own (`--net`): it plays and judges. The network that comes
// with the program stands in for it.

import { join } from 'node:path';
import { expect } from 'vitest';
import { e2e } from './browser';
import { setStage, visitPage } from './stage';

const NET = join(import.meta.dirname, '../../nets/shido-human.bin.gz');

setStage('--net', NET);

e2e('a network plays, estimates and analyzes', async () => {
  const visit = await visitPage();
  const { page } = visit;
  await page.getByText('Partner: Natural').click();
  await page.getByRole('radio', { name: /^Network/ }).check();
  await page.getByRole('radio', { name: 'Easy' }).check();
  await page.getByText('Rules, handicap, clock…').click();
  await page.getByLabel('The partner answers at once').check();
  await page.getByRole('button', { name: 'Start the game' }).click();
  await visit.waitForTurn(0);
  await visit.point('E5').click();
  await visit.waitForTurn(2);
  await page.keyboard.press('e');
  await page.getByTestId('estimate').waitFor();
  expect(await page.locator('.overlay .owned').count()).toBeGreaterThan(10);
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.getByTestId('result').waitFor();
  await page.keyboard.press('[');
  await page.keyboard.press('w');
  const why = page.getByTestId('why');
  await why.waitFor();
  expect(await page.locator('.overlay .spot-chosen').count()).toBe(1);
  await page.getByRole('button', { name: 'Look at it' }).click();
  await page.locator('[data-testid=lead]:has-text("visits")').waitFor();
  await expect.poll(() => page.locator('.overlay .spot').count()).toBeGreaterThan(0);
  await visit.checkAccess();
  await visit.close();
});
