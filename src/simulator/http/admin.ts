import { Hono } from 'hono';

import { FaultName, isFaultName, unknownFault } from '../../contract/wire/fault-names.js';
import type { FaultSwitches } from '../faults/fault-switches.js';
import type { Exchange } from './exchange.js';

/** No path of the API begins like this. */
const ADMIN = '/simulator';

/** Answers the paths of the simulator itself: without a key, without faults, and not in the log. */
export function withAdmin(exchange: Exchange, switches: FaultSwitches): Exchange {
  const admin = createAdmin(switches);
  return async (request) =>
    new URL(request.url).pathname.startsWith(`${ADMIN}/`)
      ? { kind: 'answered', response: await admin.fetch(request) }
      : exchange(request);
}

function createAdmin({ start, stop, list }: FaultSwitches): Hono {
  const admin = new Hono().basePath(ADMIN);
  admin.get('/faults', (c) => c.json({ faults: list() }));
  admin.delete('/faults', (c) => {
    for (const name of Object.values(FaultName)) stop(name);
    return c.json({ faults: list() });
  });
  admin.on(['PUT', 'DELETE'], '/faults/:name', (c) => {
    const name = c.req.param('name');
    if (!isFaultName(name)) return c.json({ error: unknownFault(name) }, 404);
    if (c.req.method === 'PUT') start(name);
    else stop(name);
    return c.json({ faults: list() });
  });
  admin.notFound((c) =>
    c.json({ error: `${ADMIN} has GET and DELETE /faults, PUT and DELETE /faults/NAME` }, 404),
  );
  return admin;
}
