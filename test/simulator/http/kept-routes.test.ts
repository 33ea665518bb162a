import { describe, expect, it } from '@jest/globals';

import { keepRoutes } from '../../../src/simulator/http/kept-routes.js';

type Route = readonly [method: string, path: string];

const THINGS: Route = ['GET', '/things'];
const THING: Route = ['GET', '/things/:id'];

function routerOf(cloud: string, routes: readonly Route[]) {
  const router = keepRoutes<string>();
  for (const [method, path] of routes) router.add(method, path, `${method} ${path} of ${cloud}`);
  return router;
}

describe('routes that are read once', () => {
  it('lead to the handlers of each cloud', () => {
    const [first, second] = ['a', 'b'].map((cloud) => routerOf(cloud, [THINGS, THING]));

    expect(first?.match('GET', '/things/7')).toEqual([[['GET /things/:id of a', { id: '7' }]]]);
    expect(second?.match('GET', '/things/8')).toEqual([[['GET /things/:id of b', { id: '8' }]]]);
    expect(first?.match('GET', '/things')).toEqual([[['GET /things of a', {}]]]);
  });

  it('lead to every handler of a call, in the order of the routes', () => {
    const router = routerOf('a', [['ALL', '/*'], THING]);

    const [found] = router.match('GET', '/things/7');

    expect(found.map(([handler]) => handler)).toEqual(['ALL /* of a', 'GET /things/:id of a']);
  });

  it('are others where the list is another', () => {
    routerOf('a', [THINGS, THING]).match('GET', '/things');

    const reversed = routerOf('b', [THING, THINGS]);

    expect(reversed.match('GET', '/things')).toEqual([[['GET /things of b', {}]]]);
    expect(reversed.match('POST', '/things')).toEqual([[]]);
  });
});
