// Requests to the server this page came from. Answers are typed, failures are `ApiError`s
// with the server's code, and a server that does not answer is noticed (see `reachable`).

import { signal } from '@preact/signals';
import type * as api from './types';

/**
 * A refusal of the server, `offline` when it does not answer at all, or `no_answer` when it
 * did not in time.
 */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** False from the first unanswered request until the server answers again. */
export const reachable = signal(true);

const RETRY_MS = 1500;
/**
 * So long an answer may take. An estimate takes a few seconds; a browser that has no
 * connection left, because other windows of the page hold them all, waits for ever.
 */
const PATIENCE_MS = 30_000;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Notes that the server did not answer, and asks again until it does. */
function lost(): void {
  reachable.value = false;
  waiting ??= setTimeout(() => {
    waiting = undefined;
    probe();
  }, RETRY_MS);
}

/** Finds out whether the server answers at all, and notes it. */
export function probe(): void {
  about().catch(() => undefined);
}

async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    response = await fetch(`/api${path}`, { ...init, cache: 'no-store', signal });
  } catch {
    if (signal.aborted && reachable.value)
      throw new ApiError('no_answer', 'There was no answer in time.', 0);
    lost();
    throw new ApiError('offline', 'The server does not answer.', 0);
  }
  reachable.value = true;
  if (!response.ok) throw await refusal(response);
  return response;
}

/** Returns what the server said was wrong; a proxy or crash may say nothing we know. */
export async function refusal(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body && 'code' in body && 'message' in body) {
      return new ApiError(String(body.code), String(body.message), response.status);
    }
  } catch {
    // Not JSON; fall through.
  }
  return new ApiError('internal', text.slice(0, 200), response.status);
}

async function get<T>(path: string): Promise<T> {
  return (await send(path, {})).json() as Promise<T>;
}

async function post<T>(path: string, body: unknown = {}): Promise<T> {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
  return (await send(path, init)).json() as Promise<T>;
}

const remove = async (path: string) => void (await send(path, { method: 'DELETE' }));

const segment = encodeURIComponent;

export const about = () => get<api.About>('/about');

/** The level that follows the person's results, now. */
export const autoLevel = () => get<api.AutoLevelView>('/level');

export const games = {
  list: async () => (await get<api.GameList>('/games')).games,
  create: (settings: api.NewGame) => post<api.GameView>('/games', settings),
  open: (id: string) => get<api.GameView>(`/games/${segment(id)}`),
  remove: (id: string) => remove(`/games/${segment(id)}`),
  /** `after` is the number of moves the page has seen, so that nothing is done twice. */
  move: (id: string, move: string, after: number) =>
    post<api.GameView>(`/games/${segment(id)}/move`, { move, after }),
  undo: (id: string, after: number) =>
    post<api.GameView>(`/games/${segment(id)}/undo`, { after }),
  estimate: (id: string) => post<api.Estimate>(`/games/${segment(id)}/estimate`),
  toggleDead: (id: string, point: string, after: number) =>
    post<api.GameView>(`/games/${segment(id)}/dead`, { point, after }),
  agree: (id: string, after: number) =>
    post<api.GameView>(`/games/${segment(id)}/agree`, { after }),
  resume: (id: string, after: number) =>
    post<api.GameView>(`/games/${segment(id)}/resume`, { after }),
  position: (id: string, after: number) =>
    get<api.PositionView>(`/games/${segment(id)}/positions/${after}`),
  why: (id: string, number: number) =>
    get<api.Why>(`/games/${segment(id)}/moves/${number}/why`),
  sgf: async (id: string) => (await send(`/games/${segment(id)}/sgf`, {})).text(),
  sgfAddress: (id: string) => `/api/games/${segment(id)}/sgf?download=true`,
  eventsPath: (id: string) => `/games/${segment(id)}/events`,
};

export const records = {
  list: async () => (await get<api.RecordList>('/records')).records,
  add: async (name: string, sgf: Blob | string) => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-go-sgf' },
      body: sgf,
    };
    const response = await send(`/records?name=${segment(name)}`, init);
    return (await response.json()) as api.RecordView;
  },
  open: (id: string, game = 0) =>
    get<api.RecordView>(`/records/${segment(id)}?game=${game}`),
  remove: (id: string) => remove(`/records/${segment(id)}`),
  node: (id: string, game: number, node: number) =>
    get<api.NodeView>(`/records/${segment(id)}/nodes/${node}?game=${game}`),
  analysisPath: (id: string, game: number, node: number) =>
    `/records/${segment(id)}/nodes/${node}/analysis?game=${game}`,
  graphPath: (id: string, game: number, node: number) =>
    `/records/${segment(id)}/graph?game=${game}&node=${node}`,
};
