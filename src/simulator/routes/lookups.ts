import type { Hono } from 'hono';
import { z } from 'zod';

import { FLAVORS } from '../state/catalog.js';
import { checkLimits, priceOf } from '../changes/check-limits.js';
import { parseRequest, readJson } from '../http/request-body.js';
import { toScope } from '../http/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import type { World } from '../state/world.js';

const availableFlavorsBodySchema = z.strictObject({
  volumes: z.array(z.looseObject({ source: z.string() })).min(1),
});

const PLACE = ':project{[0-9]+}/:region{[0-9]+}';

/** What a plan asks about an instance that is not there yet: POSTs that change nothing. */
export function addLookupRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.post(`/cloud/v2/instances/${PLACE}/check_limits`, async (c) =>
    c.json(checkLimits(world, toScope(c.req.param()), await readJson(c))),
  );
  app.post(`/cloud/v2/pricing/${PLACE}/instances`, async (c) => {
    toScope(c.req.param());
    return c.json(priceOf(world, await readJson(c)));
  });
  app.post(`/cloud/v1/instances/${PLACE}/available_flavors`, async (c) => {
    toScope(c.req.param());
    parseRequest(world, availableFlavorsBodySchema, await readJson(c));
    const soldOut = world.soldOutFlavors();
    const rows = FLAVORS.filter(
      ({ flavor_id: id, disabled }) => !disabled && !soldOut.includes(id),
    );
    return c.json({ count: rows.length, results: rows });
  });
}
