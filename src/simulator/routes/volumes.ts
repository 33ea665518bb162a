import type { Hono } from 'hono';
import { z } from 'zod';

import { attachVolume, detachVolume } from '../changes/attach-volume.js';
import {
  deleteVolume,
  deleteVolumeQuerySchema,
  extendVolume,
  retypeVolume,
  revertVolume,
} from '../changes/change-volume.js';
import { createVolume } from '../changes/create-volume.js';
import { patchNameAndTags } from '../changes/patch-name-and-tags.js';
import { formatVolume } from '../http/format-volume.js';
import { flagSchema, pageShape, parseQuery, toPage } from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { findByPath, listInScope, toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import { matchesTags, tagFilterShape } from '../http/tags.js';
import { isBootable } from '../state/relations.js';
import type { VolumeEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject({
  ...pageShape(1000),
  bootable: flagSchema.optional(),
  // No volume belongs to a Kubernetes cluster.
  cluster_id: z.string().optional(),
  has_attachments: flagSchema.optional(),
  id_part: z.string().default(''),
  instance_id: z.string().optional(),
  name_part: z.string().default(''),
  ...tagFilterShape,
});
type ListQuery = z.infer<typeof listQuerySchema>;

const PLACE = ':project{[0-9]+}/:region{[0-9]+}';
const LIST = `/cloud/v1/volumes/${PLACE}`;
const ONE = `${LIST}/:id`;
const ONE_V2 = `/cloud/v2/volumes/${PLACE}/:id`;

export function addVolumeRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = listInScope(world.volumes, toScope(c.req.param()), world.now());
    const matching = rows.filter((row) => isMatch(row, query));
    return c.json(toPage(matching, query, (row) => formatVolume(world, row)));
  });
  app.post(LIST, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    return c.json({ tasks: [createVolume(world, await readJson(c), mutation)] });
  });
  app.get(ONE, (c) => c.json(show(world, c.req.param())));
  app.patch(ONE, async (c) => {
    const row = find(world, c.req.param());
    patchNameAndTags(world, 'volumes', { row, json: await readJson(c) });
    return c.json(show(world, c.req.param()));
  });
  app.delete(ONE, (c) => {
    const volume = find(world, c.req.param());
    const query = parseQuery(world, deleteVolumeQuerySchema, c.req.queries());
    return c.json({
      tasks: [deleteVolume(world, volume, { query, mutation: toMutation(c, volume) })],
    });
  });
  addActions(app, world);
}

function addActions(app: Hono<SimulatorEnv>, world: World): void {
  app.post(`${ONE}/retype`, async (c) => {
    retypeVolume(world, find(world, c.req.param()), await readJson(c));
    return c.json(show(world, c.req.param()));
  });
  app.post(`${ONE}/revert`, (c) => {
    const volume = find(world, c.req.param());
    revertVolume(world, volume, toMutation(c, volume));
    return c.body(null, 204);
  });
  const changes = [
    [`${ONE}/extend`, extendVolume],
    [`${ONE_V2}/attach`, attachVolume],
    [`${ONE_V2}/detach`, detachVolume],
  ] as const;
  for (const [path, change] of changes) {
    app.post(path, async (c) => {
      const volume = find(world, c.req.param());
      const mutation = toMutation(c, volume);
      return c.json({ tasks: [change(world, volume, { json: await readJson(c), mutation })] });
    });
  }
}

function find(world: World, params: { project: string; region: string; id: string }) {
  return findByPath(world.volumes, 'Volume', params);
}

function show(world: World, params: { project: string; region: string; id: string }) {
  return formatVolume(world, find(world, params));
}

function isMatch(row: Readonly<VolumeEntity>, query: ListQuery): boolean {
  return (
    (query.bootable === undefined || query.bootable === isBootable(row)) &&
    query.cluster_id === undefined &&
    (query.has_attachments === undefined || query.has_attachments === (row.instanceId !== null)) &&
    row.id.includes(query.id_part) &&
    (query.instance_id === undefined || query.instance_id === row.instanceId) &&
    row.name.includes(query.name_part) &&
    matchesTags(row.tags, query)
  );
}
