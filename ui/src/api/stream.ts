// Server-sent events that survive a restart of the server.
//
// EventSource comes back by itself after a broken line, but gives up on an error page;
// this tries again then, more and more slowly. A stream that ends with `done` is closed.

import { probe, reachable } from './client';

export type Handlers = Record<string, (data: unknown) => void>;

/** The part of EventSource that is used, so that tests can give another. */
export type Source = Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>;

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
  connect: (address: string) => Source = (address) => new EventSource(address),
): () => void {
  let source: Source | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT_MS;
  let stopped = false;

  const stop = () => {
    stopped = true;
    clearTimeout(timer);
    source?.close();
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
        if (!stopped && data !== undefined) handle(data);
      });
    }
    now.addEventListener('done', stop);
    now.addEventListener('error', () => {
      if (stopped) return;
      probe();
      if (now.readyState !== CLOSED) return;
      now.close();
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    });
  };
  open();
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
