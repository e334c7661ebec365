// Which page is shown: read from the part of the address after `#`, so that reload, back
// and bookmarks work without the server knowing the pages.

import { signal } from '@preact/signals';

export type Route =
  | { page: 'play' }
  | { page: 'game'; id: string }
  | { page: 'look' }
  | { page: 'record'; id: string };

export function readRoute(hash: string): Route {
  const [page, id] = hash.replace(/^#\/?/, '').split('/');
  if (page === 'game' && id) return { page, id: decode(id) };
  if (page === 'look' && id) return { page: 'record', id: decode(id) };
  return { page: page === 'look' ? 'look' : 'play' };
}

export function addressOf(route: Route): string {
  switch (route.page) {
    case 'game':
      return `#/game/${encodeURIComponent(route.id)}`;
    case 'record':
      return `#/look/${encodeURIComponent(route.id)}`;
    default:
      return `#/${route.page}`;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const route = signal<Route>({ page: 'play' });

/** Reads the address now and whenever it changes. */
export function followAddress(): void {
  const read = () => {
    route.value = readRoute(location.hash);
  };
  read();
  addEventListener('hashchange', read);
}

export function go(to: Route): void {
  location.hash = addressOf(to);
}
