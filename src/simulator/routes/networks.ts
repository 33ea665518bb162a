import type { Hono } from 'hono';
import { z } from 'zod';

import { createNetwork, deleteNetwork, patchNetwork } from '../changes/change-network.js';
import { formatNetwork } from '../http/format-network.js';
import { flagSchema, orderedBy, pageShape, parseQuery, toPage } from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import { findStocked, rowsIn } from '../http/stocked.js';
import { matchesTags, tagFilterShape } from '../http/tags.js';
import type { NetworkEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject({
  ...pageShape(1000),
  ...tagFilterShape,
  name: z.string().optional(),
  external: flagSchema.optional(),
  network_type: z.enum(['vlan', 'vxlan']).optional(),
  owned_by: z.enum(['any', 'project']).default('project'),
  order_by: z
    .enum(['created_at.asc', 'created_at.desc', 'name.asc', 'name.desc', 'priority.desc'])
    .default('created_at.desc'),
});
type ListQuery = z.infer<typeof listQuerySchema>;

const LIST = '/cloud/v1/networks/:project{[0-9]+}/:region{[0-9]+}';
const ONE = `${LIST}/:id` as const;
const PATCH = '/cloud/v2/networks/:project{[0-9]+}/:region{[0-9]+}/:id';

/** Networks: made, changed and deleted by tasks. */
export function addNetworkRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = rowsIn(world, 'networks', toScope(c.req.param()))
      .filter((row) => row.listedAt <= world.now() && isMatch(row, query))
      .sort(orderedBy(query.order_by, sortKeys));
    return c.json(toPage(rows, query, (row) => formatNetwork(world, row)));
  });
  app.post(LIST, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    return c.json({ tasks: [createNetwork(world, await readJson(c), mutation)] });
  });
  app.get(ONE, (c) => c.json(formatNetwork(world, findNetwork(world, c.req.param()))));
  app.patch(PATCH, async (c) => {
    const network = findNetwork(world, c.req.param());
    const mutation = toMutation(c, network);
    return c.json({
      tasks: patchNetwork(world, network, { json: await readJson(c), mutation }),
    });
  });
  app.delete(ONE, (c) => {
    const network = findNetwork(world, c.req.param());
    return c.json({ tasks: [deleteNetwork(world, network, toMutation(c, network))] });
  });
}

export function findNetwork(world: World, params: { project: string; region: string; id: string }) {
  return findStocked(world, 'networks', { scope: toScope(params), name: 'Network', id: params.id });
}

function isMatch(row: Readonly<NetworkEntity>, query: ListQuery): boolean {
  return (
    (query.owned_by === 'any' || !(row.external || row.shared)) &&
    (query.name === undefined || row.name === query.name) &&
    (query.external === undefined || row.external === query.external) &&
    (query.network_type === undefined || row.type === query.network_type) &&
    matchesTags(row.tags, query)
  );
}

/** The public network of a region comes last by priority. */
function sortKeys(row: Readonly<NetworkEntity>, field: string) {
  if (field === 'name') return [row.name];
  return field === 'priority' ? [Number(!row.external), Number(row.shared)] : [row.createdAt];
}
