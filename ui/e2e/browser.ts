// A real browser: Debian's Chromium without a window. Where there is none the tests say
// so loudly and are skipped; on the CI machine that is a failure.

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { expect, test } from 'vitest';
import { placeOf, vertexAt } from '../src/board/vertex';
import type { Program } from './program';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const EXECUTABLE = [process.env['CHROMIUM'] ?? '', ...PLACES].find((path) =>
  existsSync(path),
);
const OUT = join(import.meta.dirname, 'out');
const AXE = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

if (!EXECUTABLE) {
  const text = 'Chromium is missing (`apt-get install chromium`, or set CHROMIUM)';
  if (['1', 'true'].includes(process.env['CI'] ?? '')) throw new Error(text);
  process.stderr.write(`\nSKIPPED: ${text}\n\n`);
}

/** A test that needs the browser. */
export const e2e = EXECUTABLE ? test : test.skip;

export const hasBrowser = EXECUTABLE !== undefined;

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(EXECUTABLE ? { executablePath: EXECUTABLE } : {}),
    // The tests' own page only; a container has no user namespaces for the sandbox.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--js-flags=--expose-gc'],
  });
}

/** A page of the program, and what went wrong in it. */
export class Visit {
  private constructor(
    readonly page: Page,
    readonly program: Program,
    private readonly faults: string[],
  ) {}

  static async open(
    browser: Browser,
    program: Program,
    at = '',
    options: BrowserContextOptions = {},
  ): Promise<Visit> {
    const context = await browser.newContext({
      viewport: { width: 1120, height: 720 },
      locale: 'en',
      ...options,
    });
    return Visit.within(context, program, at);
  }

  /** Opens another window of the same browser. */
  another(at: string): Promise<Visit> {
    return Visit.within(this.page.context(), this.program, at);
  }

  private static async within(
    context: BrowserContext,
    program: Program,
    at: string,
  ): Promise<Visit> {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // Refusals and stopped servers are part of the tests; the browser notes them.
      const expected = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !expected) faults.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(program.address))
        faults.push(`asked ${request.url()}`);
    });
    if (process.env['SHIDO_DIST'])
      await serveFrom(process.env['SHIDO_DIST'], page, program);
    await page.goto(`${program.address}/${at}`);
    return new Visit(page, program, faults);
  }

  /** Closes the browser's windows; fails if it threw, broke the content policy or left the server. */
  async close(): Promise<void> {
    await this.page.context().close();
    expect(this.faults).toEqual([]);
  }

  /** Returns the point of the board, on a board of `size` lines. */
  point(vertex: string, size = 9) {
    const [x, y] = placeOf(vertex, { width: size, height: size })!;
    return this.page.locator(`.shudan-vertex[data-x="${x}"][data-y="${y}"]`);
  }

  /** Waits until the page shows so many moves and says that it is our turn. */
  async waitForTurn(moves: number): Promise<void> {
    await this.page.locator(`summary:has-text("(${moves})")`).waitFor();
    await this.page.locator('[data-testid=status]:has-text("Your turn")').waitFor();
  }

  get said(): Promise<string> {
    return this.page.getByTestId('announcement').innerText();
  }

  /** Keeps a picture of the page in e2e/out, and for the guide if it is being made. */
  async picture(name: string): Promise<void> {
    await this.page.mouse.move(0, 0);
    await this.page.evaluate(() => window.scrollTo(0, 0));
    // The last stone is still landing, and a notice may be on its way out.
    await this.page.waitForTimeout(200);
    const folder = process.env['SHIDO_PICTURES'] || OUT;
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`) });
  }

  /** Fails if axe finds a serious fault on the page as it is. */
  async checkAccess(): Promise<void> {
    await this.page.evaluate(AXE);
    const found = await this.page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
      const { violations } = await axe.run();
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
    });
    expect(found).toEqual([]);
  }

  /** Fails if the page is wider than the window. */
  async checkWidth(): Promise<void> {
    const over = await this.page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    expect(over).toBeLessThanOrEqual(0);
  }
}

/**
 * Takes the page's files from a folder instead of the program, under the program's own
 * headers: so a change of the page can be tried without building the program anew.
 */
async function serveFrom(folder: string, page: Page, program: Program): Promise<void> {
  const { headers } = await fetch(program.address);
  const policy = headers.get('content-security-policy') ?? '';
  await page.route(
    (url) => !url.pathname.startsWith('/api/'),
    (route) => {
      const { pathname } = new URL(route.request().url());
      const path = join(folder, pathname === '/' ? 'index.html' : pathname);
      return route.fulfill({ path, headers: { 'content-security-policy': policy } });
    },
  );
}

/** Returns a chooser of moves: any point that may be played, always the same ones. */
export function randomMoves(seed: number) {
  let state = seed;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return (position: {
    width: number;
    height: number;
    stones: number[];
    forbidden: string[];
  }) => {
    const open = position.stones.flatMap((sign, i) => {
      const place = [i % position.width, Math.floor(i / position.width)] as const;
      const vertex = vertexAt(place, position);
      return sign === 0 && !position.forbidden.includes(vertex) ? [vertex] : [];
    });
    return open[Math.floor(random() * open.length)] ?? 'pass';
  };
}
