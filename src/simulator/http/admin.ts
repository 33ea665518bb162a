import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';

import { FaultName, isFaultName, unknownFault } from '../../contract/wire/fault-names.js';
import type { FaultSwitches } from '../faults/fault-switches.js';
import type { SimulatorState } from '../state/simulator-state.js';
import type { Exchange } from './exchange.js';
import { toJson } from './request-body.js';

/** No path of the API begins like this. */
const ADMIN = '/simulator';

const KNOWN_PATHS = `${ADMIN} has GET and DELETE /faults, PUT and DELETE /faults/NAME, GET and PUT /state`;

/** A state of a hundred thousand rows has 50 MB. */
const MAX_STATE_BYTES = 256 * 1024 ** 2;

/** Answers the paths of the simulator itself: without a key, without faults, and not in the log. */
export function withAdmin(exchange: Exchange, controls: Controls): Exchange {
  const admin = createAdmin(controls);
  return async (request) =>
    new URL(request.url).pathname.startsWith(`${ADMIN}/`)
      ? { kind: 'answered', response: await admin.fetch(request) }
      : exchange(request);
}

/** What the simulator itself can be told. */
interface Controls {
  faults: FaultSwitches;
  snapshot: () => SimulatorState;
  /** Throws a `TypeError` that names every fault of what is no state. */
  restore: (state: unknown) => void;
}

function createAdmin({ faults, snapshot, restore }: Controls): Hono {
  const admin = new Hono().basePath(ADMIN);
  addFaultRoutes(admin, faults);
  admin.get('/state', (c) => c.json(snapshot()));
  admin.put('/state', bodyLimit({ maxSize: MAX_STATE_BYTES }), async (c) => {
    const state = toJson(await c.req.text());
    try {
      restore(state);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return c.json({ error: error.message }, 400);
    }
    return c.body(null, 204);
  });
  admin.notFound((c) => c.json({ error: KNOWN_PATHS }, 404));
  return admin;
}

function addFaultRoutes(admin: Hono, { start, stop, list }: FaultSwitches): void {
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
}
