import type { Hono } from 'hono';
import { z } from 'zod';

import { formatCloudSshKey } from '../http/formatters.js';
import { pageShape, parseQuery, toPage } from '../http/list-query.js';
import { parseRequest, readJson } from '../http/request-body.js';
import { toProject } from '../http/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import { newId } from '../state/start-task.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject(pageShape(10));

const createBodySchema = z.strictObject({ name: z.string().min(1), public_key: z.string().min(1) });

const LIST = '/cloud/v1/ssh_keys/:project{[0-9]+}';

/** Keys for instances (`ssh_key_name`). Keys of the storage area are in another registry. */
export function addCloudSshKeyRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const projectId = toProject(c.req.param('project'));
    const page = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = world.cloudSshKeys.filter((row) => row.projectId === projectId);
    return c.json(toPage(rows, page, formatCloudSshKey));
  });
  app.post(LIST, async (c) => {
    const projectId = toProject(c.req.param('project'));
    const { name, public_key: publicKey } = parseRequest(
      world,
      createBodySchema,
      await readJson(c),
    );
    const row = { id: newId(), projectId, name, publicKey, createdAt: world.now() };
    world.cloudSshKeys.insert(row);
    return c.json(formatCloudSshKey(row), 201);
  });
}
