import type { Hono } from 'hono';
import { z } from 'zod';

import { refuseLocked } from '../changes/refuse-locked.js';
import { assignGroups, unassignGroups } from '../changes/security-group-members.js';
import { conflictError } from '../http/cloud-error.js';
import { parseRequest, readJson } from '../http/request-body.js';
import { findByPath, findInScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import type { InstanceEntity } from '../state/rows.js';
import { changeOf, startChange } from '../state/start-change.js';
import type { Mutation } from '../state/start-task.js';
import type { World } from '../state/world.js';

const joinBodySchema = z.strictObject({ servergroup_id: z.string() });

const ONE = '/cloud/v1/instances/:project{[0-9]+}/:region{[0-9]+}/:id';

/** The groups of an instance: security groups immediately, its placement group by a task. */
export function addInstanceGroupRoutes(app: Hono<SimulatorEnv>, world: World): void {
  const find = (params: { project: string; region: string; id: string }) =>
    findByPath(world.instances, 'Instance', params);
  app.post(`${ONE}/addsecuritygroup`, async (c) => {
    assignGroups(world, find(c.req.param()), await readJson(c));
    return c.body(null, 204);
  });
  app.post(`${ONE}/delsecuritygroup`, async (c) => {
    unassignGroups(world, find(c.req.param()), await readJson(c));
    return c.body(null, 204);
  });
  app.post(`${ONE}/put_into_servergroup`, async (c) => {
    const instance = find(c.req.param());
    const body = parseRequest(world, joinBodySchema, await readJson(c));
    const mutation = toMutation(c, instance);
    return c.json({ tasks: [joinGroup(world, instance, { id: body.servergroup_id, mutation })] });
  });
  app.post(`${ONE}/remove_from_servergroup`, (c) => {
    const instance = find(c.req.param());
    return c.json({ tasks: [leaveGroup(world, instance, toMutation(c, instance))] });
  });
}

function joinGroup(
  world: World,
  instance: Readonly<InstanceEntity>,
  { id: placementGroupId, mutation }: { id: string; mutation: Mutation },
): string {
  const kind = 'Placement group';
  const group = findInScope(world.placementGroups, instance, { kind, id: placementGroupId });
  refuseLocked('Instance', instance);
  refuseLocked(kind, group);
  const { id, placementGroupId: current = null } = instance;
  if (current !== null) {
    throw conflictError(`Instance ${id} is in placement group ${current} already`);
  }
  return startChange(world, mutation, {
    kind: 'put_into_server_group',
    data: { instance_id: id, servergroup_id: placementGroupId },
    locked: [
      { rows: 'instances', id },
      { rows: 'placementGroups', id: placementGroupId },
    ],
    done: [changeOf('instances', id, { placementGroupId })],
  });
}

function leaveGroup(world: World, instance: Readonly<InstanceEntity>, mutation: Mutation): string {
  refuseLocked('Instance', instance);
  const { id, placementGroupId: current = null } = instance;
  if (current === null) throw conflictError(`Instance ${id} is in no placement group`);
  return startChange(world, mutation, {
    kind: 'remove_from_server_group',
    data: { instance_id: id, servergroup_id: current },
    locked: [{ rows: 'instances', id }],
    done: [changeOf('instances', id, { placementGroupId: null })],
  });
}
