import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import * as client from '../src/api/client';
import { about as sample } from './samples';
import { requestOf, startingChoice } from '../src/play/newGame';

const openapi = JSON.parse(
  readFileSync(new URL('../../crates/shido-web/openapi.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, unknown>> };

/** Every address of the API as a pattern, with its methods. */
const known = Object.entries(openapi.paths).map(([path, methods]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  methods: Object.keys(methods).map((method) => method.toUpperCase()),
}));

afterEach(() => vi.unstubAllGlobals());

test('every request of the page is one the server knows', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    asked.push(`${init.method ?? 'GET'} ${path.split('?')[0]}`);
    return new Response('{}');
  });
  const { games, records } = client;
  await client.about();
  await games.list();
  await games.create(requestOf(startingChoice(sample, null)));
  await games.open('id');
  await games.remove('id');
  await games.move('id', 'D4', 0);
  await games.undo('id', 2);
  await games.estimate('id');
  await games.toggleDead('id', 'D4', 2);
  await games.agree('id', 2);
  await games.resume('id', 2);
  await games.position('id', 0);
  await games.why('id', 1);
  await games.sgf('id');
  await records.list();
  await records.add('name', '(;)');
  await records.open('id');
  await records.remove('id');
  await records.node('id', 0, 0);
  const streams = [
    games.eventsPath('id'),
    records.analysisPath('id', 0, 0),
    records.graphPath('id', 0, 0),
  ].map((path) => `GET /api${path.split('?')[0]}`);
  for (const request of [...asked, ...streams]) {
    const [method, path] = request.split(' ');
    const found = known.some(
      (it) => it.pattern.test(path!) && it.methods.includes(method!),
    );
    expect(found, request).toBe(true);
  }
});
