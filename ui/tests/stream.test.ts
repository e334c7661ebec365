import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reachable } from '../src/api/client';
import { listen, type Source } from '../src/api/stream';

/** A stream that the test speaks for. */
class Fake implements Source {
  static all: Fake[] = [];
  readyState = 0;
  private readonly handlers = new Map<string, ((event: Event) => void)[]>();

  constructor(readonly address: string) {
    Fake.all.push(this);
  }

  addEventListener(name: string, handle: unknown): void {
    const all = this.handlers.get(name) ?? [];
    this.handlers.set(name, [...all, handle as (event: Event) => void]);
  }

  close(): void {
    this.readyState = 2;
  }

  say(name: string, data?: string): void {
    for (const handle of this.handlers.get(name) ?? [])
      handle({ data } as unknown as Event);
  }
}

/** A page that the test hides and shows. */
class Page extends EventTarget {
  hidden = false;

  show(shown: boolean): void {
    this.hidden = !shown;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let page: Page;
const connect = (address: string) => new Fake(address);
const options = (held = false) => ({
  held: () => held,
  connect,
  page: page as unknown as Document,
});
const latest = () => Fake.all.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('refused')));
  Fake.all = [];
  page = new Page();
  reachable.value = true;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('events reach their handlers as data', () => {
  const seen: unknown[] = [];
  listen('/games/a/events', { game: (data) => seen.push(data) }, options());
  expect(latest().address).toBe('/api/games/a/events');
  latest().say('game', '{"id":"a"}');
  latest().say('other', '{}');
  latest().say('game', '{broken');
  expect(seen).toEqual([{ id: 'a' }]);
});

test('a stream that gave up is opened again, more and more slowly', async () => {
  listen('/x', {}, options());
  for (const wait of [500, 1000, 2000, 4000, 5000, 5000]) {
    const count = Fake.all.length;
    latest().readyState = 2;
    latest().say('error');
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(reachable.value).toBe(false);
    expect(Fake.all.length).toBe(count);
    vi.advanceTimersByTime(1);
    expect(Fake.all.length).toBe(count + 1);
  }
  latest().say('open');
  expect(reachable.value).toBe(true);
});

test('a broken line that the browser mends itself opens no second stream', () => {
  listen('/x', {}, options());
  latest().readyState = 0;
  latest().say('error');
  vi.advanceTimersByTime(60_000);
  expect(Fake.all.length).toBe(1);
});

test('after done, and after stopping, nothing is opened or handled', () => {
  const seen: unknown[] = [];
  listen('/x', { graph: (data) => seen.push(data) }, options());
  latest().say('done', '{}');
  expect(latest().readyState).toBe(2);
  latest().say('graph', '{}');
  latest().say('error');
  vi.advanceTimersByTime(60_000);
  expect(Fake.all.length).toBe(1);
  const stop = listen('/y', { graph: (data) => seen.push(data) }, options());
  stop();
  latest().say('graph', '{}');
  expect(seen).toEqual([]);
});

test('a hidden page holds no stream, and takes it up again when it is seen', () => {
  const seen: unknown[] = [];
  const stop = listen('/x', { game: (data) => seen.push(data) }, options());
  page.show(false);
  expect(latest().readyState).toBe(2);
  latest().say('game', '1');
  latest().say('error');
  vi.advanceTimersByTime(60_000);
  expect(Fake.all.length).toBe(1);
  page.show(true);
  expect(Fake.all.length).toBe(2);
  latest().say('game', '2');
  expect(seen).toEqual([2]);
  stop();
  page.show(false);
  page.show(true);
  expect(Fake.all.length).toBe(2);
});

test('a page that is hidden at first opens its stream when it is seen', () => {
  page.hidden = true;
  listen('/x', {}, options());
  expect(Fake.all.length).toBe(0);
  page.show(true);
  expect(Fake.all.length).toBe(1);
});

test('what must be watched is held while the page is hidden', () => {
  listen('/x', {}, options(true));
  page.show(false);
  expect(latest().readyState).toBe(0);
  page.show(true);
  expect(Fake.all.length).toBe(1);
});
