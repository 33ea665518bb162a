import type { Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

/** Where the handler of each route stands, by the list of all routes. */
const known = new Map<string, TrieRouter<number>>();

/**
 * Every simulated cloud has the same routes, and a search has thousands of clouds: to read the routes takes longer than what
 * most of them are asked. So they are read once for all.
 */
export function keepRoutes<T>(): Router<T> {
  const routes: (readonly [method: string, path: string])[] = [];
  const handlers: T[] = [];
  let places: TrieRouter<number> | undefined;
  return {
    name: 'kept routes',
    add: (method, path, handler) => {
      routes.push([method, path]);
      handlers.push(handler);
    },
    match: (method, path) => {
      places ??= placesOf(routes);
      const found = places.match(method, path);
      return found.length === 2
        ? [handlersAt(handlers, found[0]), found[1]]
        : [handlersAt(handlers, found[0])];
    },
  };
}

function handlersAt<T, P>(handlers: readonly T[], places: readonly [number, P][]): [T, P][] {
  return places.flatMap(([place, params]): [T, P][] => {
    const handler = handlers[place];
    return handler === undefined ? [] : [[handler, params]];
  });
}

function placesOf(routes: readonly (readonly [method: string, path: string])[]) {
  const key = routes.flat().join('\n');
  const kept = known.get(key) ?? new TrieRouter<number>();
  if (!known.has(key)) {
    for (const [place, [method, path]] of routes.entries()) kept.add(method, path, place);
    known.set(key, kept);
  }
  return kept;
}
