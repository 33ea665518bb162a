import type { Hono } from 'hono';
import { z } from 'zod';

import { parseInput } from '../../contract/parse-input.js';
import { PROJECTS } from '../state/catalog.js';
import { notFoundError, validationError } from '../http/cloud-error.js';
import { formatCloudSshKey } from '../http/formatters.js';
import { pageShape, parseJson, parseQuery, toPage } from '../http/query.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import { newId } from '../state/start-task.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject(pageShape(10));

const bodySchema = z.strictObject({ name: z.string().min(1), public_key: z.string().min(1) });

const LIST = '/cloud/v1/ssh_keys/:project{[0-9]+}';

/** Keys of instances (`ssh_key_name`). Those of the storage area are another registry. */
export function addCloudSshKeyRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const projectId = toProject(c.req.param('project'));
    const page = parseQuery(listQuerySchema, c.req.queries());
    const rows = world.cloudSshKeys.filter((row) => row.projectId === projectId);
    return c.json(toPage(rows, page, formatCloudSshKey));
  });
  app.post(LIST, async (c) => {
    const projectId = toProject(c.req.param('project'));
    const parsed = parseInput(bodySchema, parseJson(await c.req.text()));
    if (!parsed.ok) throw validationError(parsed.faults);
    const { name, public_key: publicKey } = parsed.value;
    const row = { id: newId(), projectId, name, publicKey, createdAt: world.now() };
    world.cloudSshKeys.insert(row);
    return c.json(formatCloudSshKey(row), 201);
  });
}

function toProject(text: string): number {
  const project = PROJECTS.find(({ id }) => id === Number(text));
  if (project === undefined) throw notFoundError(`Project ${text} is not found`);
  return project.id;
}
