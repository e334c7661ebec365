// Server-sent events that survive a restart of the server.
//
// EventSource comes back by itself after a broken line, but gives up on an error page;
// this tries again then, more and more slowly. A stream that ends with `done` is closed.
//
// A browser has six connections to a server for all windows together, and a stream holds
// one. So a page that is hidden lets its stream go, and opens it again when it is seen.

import { probe, reachable } from './client';

export type Handlers = Record<string, (data: unknown) => void>;

/** The part of EventSource that is used, so that tests can give another. */
export type Source = Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>;

export interface Options {
  /** Whether the stream is held even while the page is hidden. */
  held?: () => boolean;
  connect?: (address: string) => Source;
  page?: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;
}

const CLOSED = 2;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;

/**
 * Listens to the events of `path` until the returned function is called or the event
 * `done` comes. Each handler gets the parsed data of the event with its name.
 */
export function listen(
  path: string,
  handlers: Handlers,
  options: Options = {},
): () => void {
  const {
    held = () => false,
    connect = (address) => new EventSource(address),
    page = document,
  } = options;
  let source: Source | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT_MS;
  let stopped = false;

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const stop = () => {
    stopped = true;
    close();
    page.removeEventListener('visibilitychange', look);
  };
  const look = () => {
    if (page.hidden && !held()) close();
    else if (!page.hidden && !source) open();
  };
  const open = () => {
    const now = (source = connect(`/api${path}`));
    now.addEventListener('open', () => {
      wait = FIRST_WAIT_MS;
      reachable.value = true;
    });
    for (const [name, handle] of Object.entries(handlers)) {
      now.addEventListener(name, (event) => {
        const data = readData(event);
        if (!stopped && now === source && data !== undefined) handle(data);
      });
    }
    now.addEventListener('done', stop);
    now.addEventListener('error', () => {
      if (stopped || now !== source) return;
      probe();
      if (now.readyState !== CLOSED) return;
      now.close();
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    });
  };
  page.addEventListener('visibilitychange', look);
  look();
  return stop;
}

function readData(event: Event): unknown {
  if (!('data' in event) || typeof event.data !== 'string') return undefined;
  try {
    return JSON.parse(event.data) as unknown;
  } catch {
    return undefined;
  }
}
