import type { Hono } from 'hono';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

import { createSubnet, deleteSubnet, patchSubnet } from '../changes/change-subnet.js';
import { addressCount } from '../changes/network-use.js';
import { formatSubnet } from '../http/format-network.js';
import { orderedBy, pageShape, parseQuery, toPage } from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import { findStocked, rowsIn } from '../http/stocked.js';
import { matchesTags, tagFilterShape } from '../http/tags.js';
import type { SubnetEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject({
  ...pageShape(1000),
  ...tagFilterShape,
  network_id: z.string().optional(),
  owned_by: z.enum(['any', 'project']).default('project'),
  order_by: z
    .templateLiteral([
      z.enum(['available_ips', 'cidr', 'created_at', 'name', 'total_ips', 'updated_at']),
      '.',
      z.enum(['asc', 'desc']),
    ])
    .default('cidr.asc'),
});

const LIST = '/cloud/v1/subnets/:project{[0-9]+}/:region{[0-9]+}';
const ONE = `${LIST}/:id` as const;

/** Subnets: made and deleted by tasks, patched immediately. */
export function addSubnetRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const scope = toScope(c.req.param());
    const foreign = rowsIn(world, 'networks', scope)
      .filter(({ external, shared }) => external || shared)
      .map(({ id }) => id);
    const rows = rowsIn(world, 'subnets', scope)
      .filter(
        (row) =>
          row.listedAt <= world.now() &&
          (query.owned_by === 'any' || !foreign.includes(row.networkId)) &&
          (query.network_id === undefined || row.networkId === query.network_id) &&
          matchesTags(row.tags, query),
      )
      .sort(orderedBy(query.order_by, (row, field) => sortKeys(world, row, field)));
    return c.json(toPage(rows, query, (row) => formatSubnet(world, row)));
  });
  app.post(LIST, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    return c.json({ tasks: [createSubnet(world, await readJson(c), mutation)] });
  });
  app.get(ONE, (c) => c.json(formatSubnet(world, findSubnet(world, c.req.param()))));
  app.patch(ONE, async (c) => {
    patchSubnet(world, findSubnet(world, c.req.param()), await readJson(c));
    return c.json(formatSubnet(world, findSubnet(world, c.req.param())));
  });
  app.delete(ONE, (c) => {
    const subnet = findSubnet(world, c.req.param());
    return c.json({ tasks: [deleteSubnet(world, subnet, toMutation(c, subnet))] });
  });
}

export function findSubnet(world: World, params: { project: string; region: string; id: string }) {
  return findStocked(world, 'subnets', { scope: toScope(params), name: 'Subnet', id: params.id });
}

function sortKeys(world: World, row: Readonly<SubnetEntity>, field: string) {
  switch (field) {
    case 'name':
      return [row.name];
    case 'created_at':
      return [row.createdAt];
    case 'updated_at':
      return [row.updatedAt];
    case 'total_ips':
      return [addressCount(row.cidr) ?? Infinity];
    case 'available_ips':
      return [formatSubnet(world, row).available_ips ?? Infinity];
    default:
      return [row.ipVersion, ...ipaddr.parseCIDR(row.cidr)[0].toByteArray()];
  }
}
