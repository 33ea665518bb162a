import type { Hono } from 'hono';
import { z } from 'zod';

import { refuseLocked } from '../changes/refuse-locked.js';
import { conflictError } from '../http/cloud-error.js';
import { formatPlacementGroup } from '../http/format-placement-group.js';
import { pageSchema, parseQuery, toPage } from '../http/list-query.js';
import { parseRequest, readJson } from '../http/request-body.js';
import { findByPath, listInScope, toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import { newRow, removalOf, startChange } from '../state/start-change.js';
import type { World } from '../state/world.js';

const createBodySchema = z.strictObject({
  name: z.string().min(1),
  policy: z.enum(['affinity', 'anti-affinity', 'soft-anti-affinity']),
});

const LIST = '/cloud/v1/servergroups/:project{[0-9]+}/:region{[0-9]+}';
const ONE = `${LIST}/:id` as const;

/** Placement groups. Their members join and leave by calls to the instance. */
export function addPlacementGroupRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const page = parseQuery(world, pageSchema, c.req.queries());
    const rows = listInScope(world.placementGroups, toScope(c.req.param()), world.now());
    return c.json(toPage(rows, page, (row) => formatPlacementGroup(world, row)));
  });
  app.post(LIST, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    const body = parseRequest(world, createBodySchema, await readJson(c));
    const row = { ...newRow(world, mutation), ...body, tags: {} };
    world.placementGroups.insert(row);
    return c.json(formatPlacementGroup(world, row));
  });
  app.get(ONE, (c) =>
    c.json(
      formatPlacementGroup(
        world,
        findByPath(world.placementGroups, 'Placement group', c.req.param()),
      ),
    ),
  );
  app.delete(ONE, (c) => {
    const group = findByPath(world.placementGroups, 'Placement group', c.req.param());
    const { id } = group;
    refuseLocked('Placement group', group);
    const [member] = formatPlacementGroup(world, group).instances;
    if (member) throw conflictError(`Placement group ${id} has instance ${member.instance_id}`);
    const started = startChange(world, toMutation(c, group), {
      kind: 'delete_servergroup',
      data: { servergroup_id: id },
      locked: [{ rows: 'placementGroups', id }],
      done: [removalOf('placementGroups', id)],
    });
    return c.json({ tasks: [started] });
  });
}
