// Looking at a record: dropped, pasted, stepped through with variations, analyzed.

import { expect } from 'vitest';
import { e2e, type Visit } from './browser';
import { program, setStage, visitPage } from './stage';

/** Made by hand, with variations, marks and a comment. */
const SGF = `(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]PB[Aki]PW[Beni]BR[5k]WR[4k]RE[W+2.5]
;B[ee];W[cg];B[gc]C[The last open corner is A.]TR[ee]LB[cc:A]AR[ee:gc]
(;W[gg];B[cc]C[Now Black has two corners and the center.];W[dc];B[cd])
(;W[cc]N[The other corner];B[dc];W[cd])
(;W[eg]))`;

setStage();

/** Drops a file on the page as a person would. */
async function drop(visit: Visit, name: string, text: string) {
  const data = await visit.page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text!], name!, { type: 'application/x-go-sgf' }));
      return transfer;
    },
    [name, text],
  );
  await visit.page.dispatchEvent('.drop', 'dragover', { dataTransfer: data });
  await visit.page.dispatchEvent('.drop', 'drop', { dataTransfer: data });
}

e2e('an SGF is dropped, stepped through and analyzed', async () => {
  const visit = await visitPage('#/look');
  const { page } = visit;
  await page.getByText('Drop an SGF file here').waitFor();
  await visit.checkAccess();
  await drop(visit, 'corner.sgf', SGF);
  const at = page.getByTestId('step');
  await expect.poll(() => at.innerText()).toBe('0 / 7');
  const stones = page.locator('.shudan-stone-image');
  for (const moves of [1, 2, 3]) {
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => stones.count()).toBe(moves);
  }
  await expect.poll(() => visit.said).toContain('Move 3: Black G7.');
  await page.getByLabel('Comment').getByText('The last open corner is A.').waitFor();
  expect(await page.locator('.shudan-marker_triangle').count()).toBe(1);
  expect(await page.locator('.shudan-arrow').count()).toBe(1);

  // The engine's findings come by themselves; ownership when asked for.
  await page.locator('[data-testid=lead]:has-text("visits")').waitFor();
  await expect.poll(() => page.locator('.overlay .spot').count()).toBeGreaterThan(0);
  const points = async () =>
    Number(await page.getByTestId('graph').getAttribute('data-points'));
  await expect.poll(points, { timeout: 60_000 }).toBe(8);
  expect(await page.locator('.overlay .owned').count()).toBe(0);
  await page.keyboard.press('o');
  await expect.poll(() => page.locator('.overlay .owned').count()).toBeGreaterThan(5);
  await page.keyboard.press('o');

  // Variations: by key, by button, and back to the main line.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.getByText('The other corner').waitFor();
  await expect.poll(() => at.innerText()).toBe('4 / 6');
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: '3. E3' }).click();
  await expect.poll(() => at.innerText()).toBe('4 / 4');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => at.innerText()).toBe('4 / 7');
  await page.keyboard.press('End');
  await expect.poll(() => at.innerText()).toBe('7 / 7');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.locator('[data-testid=lead]:has-text("visits")').waitFor();
  await visit.checkAccess();
  await visit.picture('look');

  // A reload comes back to the same move.
  await page.reload();
  await expect.poll(() => at.innerText()).toBe('5 / 7');
  await page.keyboard.press('a');
  await page.getByTestId('lead').waitFor({ state: 'detached' });
  await visit.close();
});

e2e('a candidate’s line is drawn by mouse, keyboard and finger', async () => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  for (const options of [{}, phone]) {
    const visit = await visitPage('#/look', options);
    const { page } = visit;
    await drop(visit, 'corner.sgf', SGF);
    const row = page.locator('.candidates tbody tr').first();
    await page.locator('[data-testid=lead]:has-text("visits")').waitFor();
    const letter = row.getByRole('button');
    await letter.waitFor();
    const numbers = page.locator('.shudan-marker_label');
    expect(await numbers.count()).toBe(0);
    if (options === phone) {
      await letter.tap();
      await expect.poll(() => numbers.count()).toBeGreaterThan(0);
      expect(await letter.getAttribute('aria-pressed')).toBe('true');
      await visit.checkWidth();
      await visit.checkAccess();
      await letter.tap();
    } else {
      await row.hover();
      await expect.poll(() => numbers.count()).toBeGreaterThan(0);
      await page.mouse.move(0, 0);
      await expect.poll(() => numbers.count()).toBe(0);
      // From the switch before the list, Tab goes to its first letter.
      await page.getByRole('button', { name: 'Analyze' }).focus();
      await page.keyboard.press('Tab');
      await expect.poll(() => numbers.count()).toBeGreaterThan(0);
      await page.keyboard.press('Enter');
      await expect.poll(() => visit.said).toMatch(/^[A-J]\d/);
      await page.keyboard.press('Shift+Tab');
      expect(await numbers.count()).toBeGreaterThan(0);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Shift+Tab');
    }
    await expect.poll(() => numbers.count()).toBe(0);
    await visit.close();
  }
});

e2e('a long comment scrolls by keys while it has the focus', async () => {
  const visit = await visitPage('#/look');
  const { page } = visit;
  const text = 'A long remark.\n'.repeat(60);
  await drop(visit, 'long.sgf', `(;SZ[9]C[${text}];B[ee]C[${text}];W[cc])`);
  const comment = page.getByLabel('Comment');
  const at = page.getByTestId('step');
  await comment.focus();
  const top = () => comment.evaluate((it) => it.scrollTop);
  await page.keyboard.press('End');
  await expect.poll(top).toBeGreaterThan(200);
  await page.keyboard.press('Home');
  await expect.poll(top).toBe(0);
  // The browser may drop a key while it still glides to the beginning.
  const pageDown = async () => {
    await page.keyboard.press('PageDown');
    return top();
  };
  await expect.poll(pageDown).toBeGreaterThan(50);
  expect(await at.innerText()).toBe('0 / 2');
  // It scrolls up and down only; to the sides the record is stepped through.
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => at.innerText()).toBe('1 / 2');
  await visit.close();
});

e2e('script in a record is text, wherever it stands', async () => {
  const script = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  const visit = await visitPage('#/look');
  const { page } = visit;
  let alarmed = false;
  page.on('dialog', () => (alarmed = true));
  const text = `(;SZ[9]PB[${script}]EV[${script}]C[${script}]N[${script}]LB[ee:${script}];B[ee])`;
  await drop(visit, `${script}.sgf`, text);
  await page.getByLabel('Comment').getByText(script).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.goto(`${program.address}/#/look`);
  await page.getByText('Opened before').waitFor();
  expect(await page.locator('img, main script').count()).toBe(0);
  expect(alarmed).toBe(false);
  await visit.close();
});

e2e('an SGF is pasted or picked; what is no SGF is refused in plain words', async () => {
  const visit = await visitPage('#/look');
  const { page } = visit;
  await page.getByLabel('Or paste its text').fill('This is no game.');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'it is not SGF' }).waitFor();
  await page.locator('input[type=file]').setInputFiles({
    name: 'large.sgf',
    mimeType: 'application/x-go-sgf',
    buffer: Buffer.alloc(5 << 20, 'x'),
  });
  await page.getByRole('alert').filter({ hasText: 'at most 4 MB' }).waitFor();
  await page.getByLabel('Or paste its text').fill('(;SZ[5];B[cc])');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect.poll(() => page.getByTestId('step').innerText()).toBe('0 / 1');
  await page.goto(`${program.address}/#/look`);
  await page.locator('input[type=file]').setInputFiles({
    name: '../../<script>.sgf',
    mimeType: 'application/x-go-sgf',
    buffer: Buffer.from(SGF),
  });
  await expect.poll(() => page.getByTestId('step').innerText()).toBe('0 / 7');
  await page.goto(`${program.address}/#/look`);
  await page.getByText('Opened before').waitFor();
  await visit.close();
});

e2e('a finished game can be looked at', async () => {
  const game = await program.begin();
  await program.ask(`/games/${game.id}/move`, { move: 'E5', after: 0 });
  await program.until(game.id, (now) => now.your_turn);
  await program.ask(`/games/${game.id}/move`, { move: 'resign', after: 2 });
  const visit = await visitPage(`#/game/${game.id}`);
  await visit.page.getByRole('button', { name: 'Look at it' }).click();
  await expect.poll(() => visit.page.getByTestId('step').innerText()).toBe('0 / 2');
  await visit.close();
});
