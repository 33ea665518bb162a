import type { Hono } from 'hono';
import { z } from 'zod';

import { createSnapshot, deleteSnapshot } from '../changes/change-snapshot.js';
import { patchNameAndTags } from '../changes/patch-name-and-tags.js';
import { formatSnapshot } from '../http/format-volume.js';
import { pageShape, parseQuery, toPage } from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { findByPath, listInScope, toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import type { SnapshotEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject({
  ...pageShape(1000),
  volume_id: z.string().optional(),
  instance_id: z.string().optional(),
  // No snapshot is made by a schedule.
  schedule_id: z.string().optional(),
  lifecycle_policy_id: z.string().optional(),
});
type ListQuery = z.infer<typeof listQuerySchema>;

const LIST = '/cloud/v1/snapshots/:project{[0-9]+}/:region{[0-9]+}';
const ONE = `${LIST}/:id`;

/** Snapshots of volumes. */
export function addSnapshotRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = listInScope(world.snapshots, toScope(c.req.param()), world.now());
    const matching = rows.filter((row) => isMatch(world, row, query));
    return c.json(toPage(matching, query, formatSnapshot));
  });
  app.post(LIST, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    return c.json({ tasks: [createSnapshot(world, await readJson(c), mutation)] });
  });
  app.get(ONE, (c) => c.json(formatSnapshot(find(world, c.req.param()))));
  app.patch(ONE, async (c) => {
    const row = find(world, c.req.param());
    patchNameAndTags(world, 'snapshots', { row, json: await readJson(c) });
    return c.json(formatSnapshot(find(world, c.req.param())));
  });
  app.delete(ONE, (c) => {
    const snapshot = find(world, c.req.param());
    return c.json({ tasks: [deleteSnapshot(world, snapshot, toMutation(c, snapshot))] });
  });
}

function find(world: World, params: { project: string; region: string; id: string }) {
  return findByPath(world.snapshots, 'Snapshot', params);
}

function isMatch(world: World, row: Readonly<SnapshotEntity>, query: ListQuery): boolean {
  const instanceId = world.volumes.get(row.volumeId)?.instanceId;
  return (
    (query.volume_id === undefined || query.volume_id === row.volumeId) &&
    (query.instance_id === undefined || query.instance_id === instanceId) &&
    query.schedule_id === undefined &&
    query.lifecycle_policy_id === undefined
  );
}
