import type { Hono } from 'hono';
import { z } from 'zod';

import {
  assignFloatingIp,
  createFloatingIp,
  deleteFloatingIp,
  patchFloatingIp,
  unassignFloatingIp,
} from '../changes/change-floating-ip.js';
import { formatFloatingIp, formatListedFloatingIp, statusOf } from '../http/format-floating-ip.js';
import { pageShape, parseQuery, repeatable, toPage } from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { findByPath, listInScope, toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import { matchesTags, tagFilterShape } from '../http/tags.js';
import type { FloatingIpEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject({
  ...pageShape(1000),
  port_ids: repeatable(z.string()).optional(),
  status: z.enum(['ACTIVE', 'DOWN', 'ERROR']).optional(),
  ...tagFilterShape,
});
type ListQuery = z.infer<typeof listQuerySchema>;

const PLACE = ':project{[0-9]+}/:region{[0-9]+}';
const LIST = `/cloud/v1/floatingips/${PLACE}`;
const ONE = `${LIST}/:id`;

export function addFloatingIpRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = listInScope(world.floatingIps, toScope(c.req.param()), world.now());
    const matching = rows.filter((row) => isMatch(row, query));
    return c.json(toPage(matching, query, (row) => formatListedFloatingIp(world, row)));
  });
  app.post(LIST, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    return c.json({ tasks: [createFloatingIp(world, { json: await readJson(c), mutation })] });
  });
  app.get(ONE, (c) => c.json(formatFloatingIp(find(world, c.req.param()))));
  app.patch(`/cloud/v2/floatingips/${PLACE}/:id`, async (c) => {
    const floatingIp = find(world, c.req.param());
    const mutation = toMutation(c, floatingIp);
    return c.json({
      tasks: patchFloatingIp(world, floatingIp, { json: await readJson(c), mutation }),
    });
  });
  app.post(`${ONE}/assign`, async (c) => {
    assignFloatingIp(world, find(world, c.req.param()), await readJson(c));
    return c.json(formatFloatingIp(find(world, c.req.param())));
  });
  app.post(`${ONE}/unassign`, (c) => {
    unassignFloatingIp(world, find(world, c.req.param()));
    return c.json(formatFloatingIp(find(world, c.req.param())));
  });
  app.delete(ONE, (c) => {
    const floatingIp = find(world, c.req.param());
    return c.json({ tasks: [deleteFloatingIp(world, floatingIp, toMutation(c, floatingIp))] });
  });
}

function find(world: World, params: { project: string; region: string; id: string }) {
  return findByPath(world.floatingIps, 'Floating IP', params);
}

function isMatch(row: Readonly<FloatingIpEntity>, query: ListQuery): boolean {
  const { port_ids: portIds } = query;
  return (
    (portIds === undefined || (row.portId !== null && portIds.includes(row.portId))) &&
    (query.status === undefined || query.status === statusOf(row)) &&
    matchesTags(row.tags, query)
  );
}
