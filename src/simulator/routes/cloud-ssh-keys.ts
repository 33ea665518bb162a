import type { Hono } from 'hono';
import { z } from 'zod';

import { notFoundError } from '../http/cloud-error.js';
import { formatCloudSshKey } from '../http/formatters.js';
import { orderedBy, pageShape, parseQuery, toPage } from '../http/list-query.js';
import { parseRequest, readJson } from '../http/request-body.js';
import { toProject } from '../http/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import type { CloudSshKeyEntity } from '../state/rows.js';
import { createSshKeyPair, fingerprintOf } from '../state/ssh-key-pair.js';
import { newId } from '../state/start-task.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject({
  ...pageShape(10),
  name: z.string().optional(),
  order_by: z
    .enum(['created_at.asc', 'created_at.desc', 'name.asc', 'name.desc'])
    .default('created_at.desc'),
});

const createBodySchema = z.strictObject({
  name: z.string().min(1),
  public_key: z
    .string()
    .refine((text) => fingerprintOf(text) !== null, { error: 'must be a public SSH key' })
    .optional(),
  shared_in_project: z.boolean().default(true),
});

const patchBodySchema = z.strictObject({ shared_in_project: z.boolean() });

const LIST = '/cloud/v1/ssh_keys/:project{[0-9]+}';
const ONE = `${LIST}/:id` as const;

/** Keys for instances (`ssh_key_name`). Keys of the storage area are in another registry. */
export function addCloudSshKeyRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const projectId = toProject(c.req.param('project'));
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = world.cloudSshKeys
      .filter((row) => row.projectId === projectId && row.name.includes(query.name ?? ''))
      .reverse()
      .sort(orderedBy(query.order_by, sortKeys));
    return c.json(toPage(rows, query, formatCloudSshKey));
  });
  app.post(LIST, async (c) => {
    const projectId = toProject(c.req.param('project'));
    const body = parseRequest(world, createBodySchema, await readJson(c));
    // Only this answer has the private key: nothing keeps it.
    const { publicKey, privateKey } = toPair(body.public_key);
    const row: CloudSshKeyEntity = {
      id: newId(),
      projectId,
      name: body.name,
      publicKey,
      sharedInProject: body.shared_in_project,
      createdAt: world.now(),
    };
    world.cloudSshKeys.insert(row);
    return c.json({ ...formatCloudSshKey(row), private_key: privateKey }, 201);
  });
  app.get(ONE, (c) => c.json(formatCloudSshKey(find(world, c.req.param()))));
  app.patch(ONE, async (c) => {
    const { id } = find(world, c.req.param());
    const body = parseRequest(world, patchBodySchema, await readJson(c));
    world.cloudSshKeys.update(id, { sharedInProject: body.shared_in_project });
    return c.json(formatCloudSshKey(find(world, c.req.param())));
  });
  app.delete(ONE, (c) => {
    world.cloudSshKeys.delete(find(world, c.req.param()).id);
    return c.body(null, 204);
  });
}

function toPair(publicKey: string | undefined) {
  return publicKey === undefined ? createSshKeyPair() : { publicKey, privateKey: null };
}

function find(
  world: World,
  { project, id }: { project: string; id: string },
): Readonly<CloudSshKeyEntity> {
  const row = world.cloudSshKeys.get(id);
  if (row?.projectId !== toProject(project)) throw notFoundError(`SSH key ${id} is not found`);
  return row;
}

function sortKeys(row: Readonly<CloudSshKeyEntity>, field: string) {
  return field === 'name' ? [row.name] : [row.createdAt];
}
