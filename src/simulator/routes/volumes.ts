import type { Hono } from 'hono';

import { TaskType } from '../../contract/wire/tasks.js';
import { refuseLocked } from '../changes/change-instance.js';
import { conflictError } from '../http/cloud-error.js';
import { formatVolume } from '../http/formatters.js';
import { hasTags, pageSchema, parseQuery, tagKeyValueSchema, toPage } from '../http/list-query.js';
import { findByPath, listInScope, toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import { changeOf, removalOf, startChange } from '../state/start-change.js';
import type { World } from '../state/world.js';

const listQuerySchema = pageSchema.extend({ tag_key_value: tagKeyValueSchema.optional() });

const LIST = '/cloud/v1/volumes/:project{[0-9]+}/:region{[0-9]+}';
const ONE = '/cloud/v1/volumes/:project{[0-9]+}/:region{[0-9]+}/:id';

/** Volumes. Only a create call of an instance creates new ones. */
export function addVolumeRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = listInScope(world.volumes, toScope(c.req.param()), world.now());
    const matching = rows.filter((row) => hasTags(row.tags, query.tag_key_value ?? {}));
    return c.json(toPage(matching, query, (row) => formatVolume(world, row)));
  });
  app.get(ONE, (c) => c.json(formatVolume(world, find(world, c.req.param()))));
  app.delete(ONE, (c) => {
    const volume = find(world, c.req.param());
    refuseLocked('Volume', volume);
    if (volume.instanceId !== null) {
      throw conflictError(`Volume ${volume.id} is attached to instance ${volume.instanceId}`);
    }
    const { status } = volume;
    world.volumes.update(volume.id, { status: 'deleting' });
    const started = startChange(world, toMutation(c, volume), {
      kind: TaskType.deleteVolume,
      data: { volume_id: volume.id },
      locked: [{ rows: 'volumes', id: volume.id }],
      done: [removalOf('volumes', volume.id)],
      failed: [changeOf('volumes', volume.id, { status })],
    });
    return c.json({ tasks: [started] });
  });
}

function find(world: World, params: { project: string; region: string; id: string }) {
  return findByPath(world.volumes, 'Volume', params);
}
