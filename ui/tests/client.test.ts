import { afterEach, expect, test, vi } from 'vitest';
import { about, ApiError, games, reachable, records, refusal } from '../src/api/client';
import { explain } from '../src/shell/notice';
import { LANGUAGES } from '../src/lang';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the server’s code and words come through', async () => {
  const error = await refusal(
    new Response('{"code":"stale","message":"Move 3."}', { status: 409 }),
  );
  expect(error).toMatchObject({ code: 'stale', message: 'Move 3.', status: 409 });
});

test('an answer nobody knows is still an error with its text', async () => {
  const error = await refusal(new Response('<h1>Bad gateway</h1>', { status: 502 }));
  expect(error).toMatchObject({ code: 'internal', message: '<h1>Bad gateway</h1>' });
});

test('a server that stops is noticed, asked again, and noticed when it is back', async () => {
  vi.useFakeTimers();
  let running = false;
  vi.stubGlobal('fetch', async () => {
    if (!running) throw new TypeError('refused');
    return new Response('{}');
  });
  await expect(about()).rejects.toMatchObject({ code: 'offline' });
  expect(reachable.value).toBe(false);
  await vi.advanceTimersByTimeAsync(5000);
  expect(reachable.value).toBe(false);
  running = true;
  await vi.advanceTimersByTimeAsync(5000);
  expect(reachable.value).toBe(true);
});

test('an answer that does not come in time is told, and is no stopped server', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  vi.stubGlobal('fetch', async () => Promise.reject(new Error('timed out')));
  reachable.value = true;
  const refused = games.undo('id', 2);
  await expect(refused).rejects.toMatchObject({ code: 'no_answer' });
  expect(reachable.value).toBe(true);
});

test('ids and names cannot leave their place in the address', async () => {
  const paths: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    paths.push(path);
    return new Response('{}');
  });
  await games.open('../about?x=1#');
  await records.add('../../etc/passwd&game=1', '(;)');
  expect(paths).toEqual([
    '/api/games/..%2Fabout%3Fx%3D1%23',
    '/api/records?name=..%2F..%2Fetc%2Fpasswd%26game%3D1',
  ]);
});

test('errors are told in the person’s language, or in the server’s words', () => {
  const { en } = LANGUAGES;
  expect(explain(new ApiError('busy', 'x', 503))).toBe(en.errors.byCode.busy);
  expect(explain(new ApiError('new_code', 'It rains.', 500))).toContain('It rains.');
  const why = 'the file has more than 20000 nodes';
  expect(explain(new ApiError('bad_record', why, 422))).toContain(why);
  expect(explain(new Error('odd'))).toContain('odd');
});
