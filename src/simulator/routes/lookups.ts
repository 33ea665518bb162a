import type { Hono } from 'hono';
import { z } from 'zod';

import { FLAVORS } from '../state/catalog.js';
import { checkLimits, priceOf } from '../changes/check-limits.js';
import { notFoundError } from '../http/cloud-error.js';
import { pageSchema, parseQuery, toPage } from '../http/list-query.js';
import { parseRequest, readJson } from '../http/request-body.js';
import { type Scope, toScope } from '../http/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import { IMAGES, NETWORKS, SUBNETS } from '../state/stock.js';
import type { World } from '../state/world.js';

const imageQuerySchema = pageSchema.extend({
  visibility: z.enum(['private', 'public', 'shared']).optional(),
});
const availableFlavorsBodySchema = z.strictObject({
  volumes: z.array(z.looseObject({ source: z.string() })).min(1),
});

const PLACE = ':project{[0-9]+}/:region{[0-9]+}';

/** What a plan reads: resources that exist in every scope, and POSTs that change nothing. */
export function addLookupRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(`/cloud/v1/images/${PLACE}`, (c) => {
    const scope = toScope(c.req.param());
    const { visibility, ...page } = parseQuery(world, imageQuerySchema, c.req.queries());
    const rows = IMAGES.filter((row) => visibility === undefined || row.visibility === visibility);
    return c.json(toPage(rows, page, addPlace(scope)));
  });
  addCollectionRoutes(app, world, { name: 'networks', kind: 'Network', rows: NETWORKS });
  addCollectionRoutes(app, world, { name: 'subnets', kind: 'Subnet', rows: SUBNETS });
  addItemRoute(app, { name: 'images', kind: 'Image', rows: IMAGES });
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
    const rows = FLAVORS.filter(({ flavor_id: id }) => !soldOut.includes(id));
    return c.json({ count: rows.length, results: rows });
  });
}

interface Stock {
  name: string;
  kind: string;
  rows: readonly { id: string }[];
}

function addCollectionRoutes(app: Hono<SimulatorEnv>, world: World, stock: Stock): void {
  app.get(`/cloud/v1/${stock.name}/${PLACE}`, (c) => {
    const scope = toScope(c.req.param());
    return c.json(
      toPage(stock.rows, parseQuery(world, pageSchema, c.req.queries()), addPlace(scope)),
    );
  });
  addItemRoute(app, stock);
}

function addItemRoute(app: Hono<SimulatorEnv>, { name, kind, rows }: Stock): void {
  app.get(`/cloud/v1/${name}/${PLACE}/:id`, (c) => {
    const scope = toScope(c.req.param());
    const id = c.req.param('id');
    const row = rows.find((candidate) => candidate.id === id);
    if (row === undefined) throw notFoundError(`${kind} ${id} is not found`);
    return c.json(addPlace(scope)(row));
  });
}

function addPlace({ projectId, regionId }: Scope) {
  return <T extends object>(row: T) => ({ ...row, project_id: projectId, region_id: regionId });
}
