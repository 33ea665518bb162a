import type { Hono } from 'hono';
import { z } from 'zod';

import { parseInput } from '../../contract/parse-input.js';
import { FLAVORS } from '../state/catalog.js';
import { checkLimits } from '../changes/check-limits.js';
import { notFoundError, validationError } from '../http/cloud-error.js';
import { pageShape, parseJson, parseQuery, toPage } from '../http/query.js';
import { toScope } from '../state/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import { IMAGES, NETWORKS, SUBNETS } from '../state/stock.js';
import type { World } from '../state/world.js';

const pageSchema = z.strictObject(pageShape(1000));
const imageQuerySchema = z.strictObject({
  ...pageShape(1000),
  visibility: z.enum(['private', 'public', 'shared']).optional(),
});
const suitableBodySchema = z.strictObject({
  volumes: z.array(z.looseObject({ source: z.string() })).min(1),
});

const PLACE = ':project{[0-9]+}/:region{[0-9]+}';

/** What a plan looks at: things that exist everywhere, and two POSTs that change nothing. */
export function addLookupRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(`/cloud/v1/images/${PLACE}`, (c) => {
    const scope = toScope(c.req.param());
    const { visibility, ...page } = parseQuery(imageQuerySchema, c.req.queries());
    const rows = IMAGES.filter((row) => visibility === undefined || row.visibility === visibility);
    return c.json(toPage(rows, page, inPlace(scope)));
  });
  addCollection(app, { name: 'networks', kind: 'Network', rows: NETWORKS });
  addCollection(app, { name: 'subnets', kind: 'Subnet', rows: SUBNETS });
  addOne(app, { name: 'images', kind: 'Image', rows: IMAGES });
  app.post(`/cloud/v2/instances/${PLACE}/check_limits`, async (c) =>
    c.json(checkLimits(world, toScope(c.req.param()), parseJson(await c.req.text()))),
  );
  app.post(`/cloud/v1/instances/${PLACE}/available_flavors`, async (c) => {
    toScope(c.req.param());
    const parsed = parseInput(suitableBodySchema, parseJson(await c.req.text()));
    if (!parsed.ok) throw validationError(parsed.faults);
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

function addCollection(app: Hono<SimulatorEnv>, stock: Stock): void {
  app.get(`/cloud/v1/${stock.name}/${PLACE}`, (c) => {
    const scope = toScope(c.req.param());
    return c.json(toPage(stock.rows, parseQuery(pageSchema, c.req.queries()), inPlace(scope)));
  });
  addOne(app, stock);
}

function addOne(app: Hono<SimulatorEnv>, { name, kind, rows }: Stock): void {
  app.get(`/cloud/v1/${name}/${PLACE}/:id`, (c) => {
    const scope = toScope(c.req.param());
    const id = c.req.param('id');
    const row = rows.find((candidate) => candidate.id === id);
    if (row === undefined) throw notFoundError(`${kind} ${id} is not found`);
    return c.json(inPlace(scope)(row));
  });
}

function inPlace({ projectId, regionId }: { projectId: number; regionId: number }) {
  return <T extends object>(row: T) => ({ ...row, project_id: projectId, region_id: regionId });
}
