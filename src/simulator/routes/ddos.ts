import type { Hono } from 'hono';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

import { canonicalAddress } from '../../contract/wire/address.js';
import { DDOS_REGIONS, PROFILE_TEMPLATES } from '../state/catalog.js';
import {
  createProfile,
  deleteProfile,
  patchProfile,
  switchProfile,
} from '../changes/change-ddos-profile.js';
import { isWithin } from '../changes/network-use.js';
import { formatDdosProfile } from '../http/formatters.js';
import { orderedBy, pageShape, parseQuery, repeatable, toPage } from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { findByPath, listInScope, toRegion, toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import type { ProfileView } from '../state/ddos-entities.js';
import type { DdosProfileEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject({
  ...pageShape(1000),
  ip_address: z.string().optional(),
  managed_by: repeatable(z.enum(['system', 'user'])).optional(),
  order_by: z
    .templateLiteral([
      z.enum(['id', 'ip_address', 'managed_by', 'site', 'status']),
      '.',
      z.enum(['asc', 'desc']),
    ])
    .default('id.asc'),
});
type ListQuery = z.infer<typeof listQuerySchema>;

const LIST = '/cloud/v1/ddos/profiles/:project{[0-9]+}/:region{[0-9]+}';
const ONE = '/cloud/v1/ddos/profiles/:project{[0-9]+}/:region{[0-9]+}/:id{[0-9]+}';

/** DDoS profiles, and the checks before one is created. The API has no GET of one profile. */
export function addDdosRoutes(app: Hono<SimulatorEnv>, world: World): void {
  addPreflightRoutes(app);
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = listInScope(world.ddosProfiles, toScope(c.req.param()), world.now());
    const matching = rows
      .filter((row) => isMatch(row, query))
      .sort(orderedBy(query.order_by, (row, field) => sortKeys(world, row, field)));
    return c.json(toPage(matching, query, (row) => formatDdosProfile(row, listedView(world, row))));
  });
  app.post(LIST, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    return c.json({ tasks: [createProfile(world, await readJson(c), mutation)] });
  });
  app.patch(ONE, async (c) => {
    const profile = find(world, c.req.param());
    const change = { json: await readJson(c), mutation: toMutation(c, profile) };
    return c.json({ tasks: [patchProfile(world, profile, change)] });
  });
  app.post(`${ONE}/action`, async (c) => {
    const profile = find(world, c.req.param());
    const change = { json: await readJson(c), mutation: toMutation(c, profile) };
    return c.json({ tasks: [switchProfile(world, profile, change)] });
  });
  app.delete(ONE, (c) => {
    const profile = find(world, c.req.param());
    return c.json({ tasks: [deleteProfile(world, profile, toMutation(c, profile))] });
  });
}

function addPreflightRoutes(app: Hono<SimulatorEnv>): void {
  app.get('/cloud/v1/ddos/profile-templates/:region{[0-9]+}', (c) => {
    toRegion(c.req.param('region'));
    return c.json({ count: PROFILE_TEMPLATES.length, results: PROFILE_TEMPLATES });
  });
  app.get('/cloud/v1/ddos/accessibility/:region{[0-9]+}', (c) => {
    const isAccessible = toRegion(c.req.param('region')) !== DDOS_REGIONS.inaccessible;
    return c.json({
      is_accessible: isAccessible,
      message: isAccessible ? '' : 'DDoS protection is not enabled for this client',
      http_code: isAccessible ? 200 : 403,
    });
  });
  app.get('/cloud/v1/ddos/region_coverage/:region{[0-9]+}', (c) =>
    c.json({ is_covered: toRegion(c.req.param('region')) !== DDOS_REGIONS.uncovered }),
  );
}

function find(world: World, params: { project: string; region: string; id: string }) {
  return findByPath(world.ddosProfiles, 'DDoS profile', params);
}

/** While lists lag, they show a changed profile as it was before. */
function listedView(world: World, row: Readonly<DdosProfileEntity>): ProfileView {
  return row.stale !== null && row.stale.until > world.now() ? row.stale.view : row;
}

function isMatch(row: Readonly<DdosProfileEntity>, query: ListQuery): boolean {
  const { ip_address: address, managed_by: managers } = query;
  return (
    (address === undefined || isMeant(row.address, address)) &&
    (managers === undefined || managers.includes(row.managedBy))
  );
}

/** Whether this is the address, or one of the network. */
function isMeant(address: string, wanted: string): boolean {
  return ipaddr.isValidCIDR(wanted)
    ? isWithin(address, wanted)
    : canonicalAddress(wanted) === canonicalAddress(address);
}

function sortKeys(world: World, row: Readonly<DdosProfileEntity>, field: string) {
  const id = Number(row.id);
  if (field === 'ip_address') return [row.address, id];
  if (field === 'managed_by') return [row.managedBy, id];
  return field === 'status' ? [listedView(world, row).status.status, id] : [id];
}
