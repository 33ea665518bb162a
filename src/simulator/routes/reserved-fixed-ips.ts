import type { Hono } from 'hono';
import { z } from 'zod';

import {
  patchReservedFixedIp,
  releaseFixedIp,
  reserveFixedIp,
} from '../changes/change-reserved-fixed-ip.js';
import { familiesOf, formatReservedFixedIp, nameOf } from '../http/format-port.js';
import { flagSchema, orderedBy, pageShape, parseQuery, toPage } from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { findByPath, listInScope, toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import { findNetwork } from '../http/find-network.js';
import type { ReservedFixedIpEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject({
  ...pageShape(1000),
  available_only: flagSchema.default(false),
  device_id: z.string().optional(),
  external_only: flagSchema.default(false),
  internal_only: flagSchema.default(false),
  ip_address: z.string().optional().transform(toPattern),
  order_by: z
    .templateLiteral([
      z.enum(['created_at', 'fixed_ip_address', 'name', 'status', 'updated_at']),
      '.',
      z.enum(['asc', 'desc']),
    ])
    .default('created_at.desc'),
  vip_only: flagSchema.default(false),
});
type ListQuery = z.infer<typeof listQuerySchema>;

const MAX_WILDCARDS = 4;

/** The API documents a regular expression. Here digits, `.`, `.*`, `^` and `$` suffice: any other could run for ever. */
function toPattern(text: string | undefined, context: z.RefinementCtx): RegExp | undefined {
  if (text === undefined) return undefined;
  const isPlain = /^\^?(?:\d|\\?\.|\.\*)*\$?$/.test(text);
  if (isPlain && text.split('*').length <= MAX_WILDCARDS + 1) return new RegExp(text);
  context.addIssue({ code: 'custom', message: 'must be an IPv4 address or a part of one' });
  return z.NEVER;
}

const LIST = '/cloud/v1/reserved_fixed_ips/:project{[0-9]+}/:region{[0-9]+}';
const ONE = `${LIST}/:id`;

/** Addresses that outlive the instances which use them. */
export function addReservedFixedIpRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = listInScope(world.reservedFixedIps, toScope(c.req.param()), world.now());
    const matching = rows
      .filter((row) => isMatch(world, row, query))
      .sort(orderedBy(query.order_by, sortKeys));
    return c.json(toPage(matching, query, (row) => formatReservedFixedIp(world, row)));
  });
  app.post(LIST, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    return c.json({ tasks: [reserveFixedIp(world, await readJson(c), mutation)] });
  });
  app.get(ONE, (c) => c.json(formatReservedFixedIp(world, find(world, c.req.param()))));
  app.patch(ONE, async (c) => {
    patchReservedFixedIp(world, find(world, c.req.param()), await readJson(c));
    return c.json(formatReservedFixedIp(world, find(world, c.req.param())));
  });
  app.delete(ONE, (c) => {
    const row = find(world, c.req.param());
    return c.json({ tasks: [releaseFixedIp(world, row, toMutation(c, row))] });
  });
}

function find(world: World, params: { project: string; region: string; id: string }) {
  return findByPath(world.reservedFixedIps, 'Reserved fixed IP', params);
}

function isMatch(world: World, row: Readonly<ReservedFixedIpEntity>, query: ListQuery): boolean {
  return (
    isInNetwork(world, row, query) &&
    (!query.available_only || row.instanceId === null) &&
    (query.device_id === undefined || query.device_id === row.instanceId) &&
    (!query.vip_only || row.isVip)
  );
}

function isInNetwork(
  world: World,
  row: Readonly<ReservedFixedIpEntity>,
  { external_only: external, internal_only: internal, ip_address: pattern }: ListQuery,
): boolean {
  const isExternal = findNetwork(world, row, row.networkId)?.external ?? false;
  const isWanted = isExternal ? !internal : !external;
  return isWanted && (pattern?.test(familiesOf(row).ipv4?.ip ?? '') ?? true);
}

function sortKeys(row: Readonly<ReservedFixedIpEntity>, field: string) {
  switch (field) {
    case 'fixed_ip_address':
      return (familiesOf(row).ipv4?.ip ?? '').split('.').map(Number);
    case 'name':
      return [nameOf(row)];
    case 'status':
      return [row.instanceId === null ? 'DOWN' : 'ACTIVE'];
    default:
      return [field === 'updated_at' ? (row.updatedAt ?? row.createdAt) : row.createdAt];
  }
}
