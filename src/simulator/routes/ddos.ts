import type { Context, Hono } from 'hono';
import { z } from 'zod';

import { canonicalAddress } from '../../contract/address.js';
import { DDOS_REGIONS, PROFILE_TEMPLATES } from '../state/catalog.js';
import {
  createProfile,
  deleteProfile,
  findProfile,
  patchProfile,
  switchProfile,
} from '../changes/change-ddos-profile.js';
import { formatDdosProfile } from '../http/formatters.js';
import { pageShape, parseJson, parseQuery, repeatable, toPage } from '../http/query.js';
import { listInScope, toRegion, toScope } from '../state/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import type { DdosProfileEntity, ProfileView } from '../state/simulator-state.js';
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

/** There is no GET of one profile. */
export function addDdosRoutes(app: Hono<SimulatorEnv>, world: World): void {
  addPreflightRoutes(app);
  app.get(LIST, (c) => {
    const query = parseQuery(listQuerySchema, c.req.queries());
    const rows = listInScope(world.ddosProfiles, toScope(c.req.param()), world.now());
    const matching = rows.filter((row) => isMatch(row, query)).sort(orderOf(world, query.order_by));
    return c.json(toPage(matching, query, (row) => formatDdosProfile(row, shown(world, row))));
  });
  app.post(LIST, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    return c.json({ tasks: [createProfile(world, await bodyOf(c), mutation)] });
  });
  app.patch(ONE, async (c) => {
    const profile = find(world, c.req.param());
    const change = { json: await bodyOf(c), mutation: toMutation(c, profile) };
    return c.json({ tasks: [patchProfile(world, profile, change)] });
  });
  app.post(`${ONE}/action`, async (c) => {
    const profile = find(world, c.req.param());
    const change = { json: await bodyOf(c), mutation: toMutation(c, profile) };
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

async function bodyOf(c: Context<SimulatorEnv>): Promise<unknown> {
  return parseJson(await c.req.text());
}

function find(world: World, params: { project: string; region: string; id: string }) {
  return findProfile(world, toScope(params), params.id);
}

/** Lists may show a changed profile as it was before. */
function shown(world: World, row: Readonly<DdosProfileEntity>): ProfileView {
  return row.stale !== null && row.stale.until > world.now() ? row.stale.view : row;
}

function isMatch(row: Readonly<DdosProfileEntity>, query: ListQuery): boolean {
  const { ip_address: address, managed_by: managers } = query;
  return (
    (address === undefined || canonicalAddress(address) === canonicalAddress(row.address)) &&
    (managers === undefined || managers.includes(row.managedBy))
  );
}

function orderOf(world: World, orderBy: ListQuery['order_by']) {
  const [field = 'id', direction] = orderBy.split('.');
  const sign = direction === 'asc' ? 1 : -1;
  const keyOf = (row: Readonly<DdosProfileEntity>): string => {
    if (field === 'ip_address') return row.address;
    if (field === 'managed_by') return row.managedBy;
    return field === 'status' ? shown(world, row).status.status : '';
  };
  return (a: Readonly<DdosProfileEntity>, b: Readonly<DdosProfileEntity>): number =>
    sign * (keyOf(a).localeCompare(keyOf(b)) || Number(a.id) - Number(b.id));
}
