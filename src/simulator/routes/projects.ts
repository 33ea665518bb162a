import type { Hono } from 'hono';
import { z } from 'zod';

import { deleteProject } from '../changes/delete-project.js';
import { conflictError, notFoundError } from '../http/cloud-error.js';
import { formatProject } from '../http/format-project.js';
import { flagSchema, orderedBy, pageShape, parseQuery, toPage } from '../http/list-query.js';
import { parseRequest, readJson } from '../http/request-body.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import { nextId } from '../state/next-id.js';
import type { ProjectEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject({
  ...pageShape(1000),
  name: z.string().optional(),
  include_deleted: flagSchema.default(false),
  order_by: z
    .enum(['created_at.asc', 'created_at.desc', 'name.asc', 'name.desc'])
    .default('created_at.asc'),
});

const bodySchema = z.strictObject({
  name: z.string().min(1),
  description: z.string().nullable().default(null),
});
const patchSchema = z.strictObject({
  name: z.string().min(1).optional(),
  description: z.string().optional(),
});

const LIST = '/cloud/v1/projects';
/** Not the parameter `:project`: a deleted project is still shown. */
const ONE = '/cloud/v1/projects/:id{[0-9]+}';

/** Projects. Only a deletion has a task. */
export function addProjectRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = world.projects.filter(
      ({ name, state }) =>
        (query.name === undefined || name === query.name) &&
        (query.include_deleted || state !== 'DELETED'),
    );
    return c.json(toPage(rows.sort(orderedBy(query.order_by, sortKeys)), query, formatProject));
  });
  app.post(LIST, async (c) => {
    const body = parseRequest(world, bodySchema, await readJson(c));
    refuseTaken(world, body.name);
    const row: ProjectEntity = {
      ...body,
      id: nextId(world, world.projects),
      isDefault: false,
      state: 'ACTIVE',
      createdAt: world.now(),
      deletedAt: null,
      taskId: null,
    };
    world.projects.insert(row);
    return c.json(formatProject(row), 201);
  });
  app.get(ONE, (c) => c.json(formatProject(find(world, c.req.param('id')))));
  app.patch(ONE, async (c) => {
    const { id, name } = findActive(world, c.req.param('id'));
    const body = parseRequest(world, patchSchema, await readJson(c));
    if (body.name !== undefined && body.name !== name) refuseTaken(world, body.name);
    world.projects.merge(id, body);
    return c.json(formatProject(find(world, id)));
  });
  app.delete(ONE, (c) => {
    const project = findActive(world, c.req.param('id'));
    const origin = toMutation(c, { projectId: Number(project.id), regionId: null });
    return c.json({ tasks: [deleteProject(world, project, origin)] });
  });
}

function refuseTaken(world: World, wanted: string): void {
  const taken = world.projects.filter(({ name, state }) => name === wanted && state !== 'DELETED');
  if (taken.length > 0) throw conflictError(`Project ${wanted} already exists`);
}

function find(world: World, id: string): Readonly<ProjectEntity> {
  const project = world.projects.get(String(Number(id)));
  if (project === undefined) throw notFoundError(`Project ${id} is not found`);
  return project;
}

function findActive(world: World, id: string): Readonly<ProjectEntity> {
  const project = find(world, id);
  if (project.state === 'DELETED') throw notFoundError(`Project ${id} is not found`);
  if (project.taskId === null) return project;
  throw conflictError(`Project ${id} is locked by task ${project.taskId}`);
}

function sortKeys(row: Readonly<ProjectEntity>, field: string) {
  return field === 'name' ? [row.name] : [row.createdAt, Number(row.id)];
}
