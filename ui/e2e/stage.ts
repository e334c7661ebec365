// What every file of tests stands on: the program and the browser, started before its
// first test and ended after its last. Each file has a stage of its own.

import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { hasBrowser, startBrowser, Visit } from './browser';
import { Program } from './program';

/** The program under test, once `setStage` was called and a test runs. */
export let program: Program;
let browser: Browser;

/** Asks for the program, with these flags, and a browser. */
export function setStage(...flags: string[]): void {
  beforeAll(async () => {
    if (!hasBrowser) return;
    [program, browser] = await Promise.all([Program.start(...flags), startBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await program?.close();
  });
}

/** Opens a page of the program. */
export const visitPage = (at?: string, options?: BrowserContextOptions) =>
  Visit.open(browser, program, at, options);
