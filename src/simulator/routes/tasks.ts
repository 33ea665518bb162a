import type { Hono } from 'hono';
import { z } from 'zod';

import { timestampSchema } from '../../contract/api/cloud.js';
import { TaskState } from '../../engine/core/tasks.js';
import { formatTask, taskState } from '../http/format-task.js';
import { flagSchema, pageShape, parseQuery, repeatable, toPage } from '../http/list-query.js';
import { findById } from '../http/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import type { TaskEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

const idSchema = z.string().regex(/^\d+$/, { error: 'must be a whole number' }).transform(Number);
const timeSchema = timestampSchema.transform((iso) => Date.parse(iso));

/** The default limit is 10: a caller that looks for a lost task must ask for more. */
const listQuerySchema = z.strictObject({
  ...pageShape(10),
  project_id: repeatable(idSchema).optional(),
  region_id: repeatable(idSchema).optional(),
  state: repeatable(z.enum(TaskState)).optional(),
  task_type: z.string().optional(),
  from_timestamp: timeSchema.optional(),
  to_timestamp: timeSchema.optional(),
  is_acknowledged: flagSchema.optional(),
  order_by: z.enum(['asc', 'desc']).optional(),
  /** The deprecated name of `order_by`. */
  sorting: z.enum(['asc', 'desc']).default('desc'),
});
type ListQuery = z.infer<typeof listQuerySchema>;

const acknowledgeQuerySchema = z.strictObject({
  project_id: idSchema.optional(),
  region_id: idSchema.optional(),
});

/** Documents name two places of the tasks. */
const PATHS = ['/cloud/v1/tasks', '/v1/tasks'] as const;

/** Cloud tasks: read, and acknowledged by people. */
export function addTaskRoutes(app: Hono<SimulatorEnv>, world: World): void {
  for (const path of PATHS) addRoutesAt(app, world, path);
}

function addRoutesAt(app: Hono<SimulatorEnv>, world: World, tasks: (typeof PATHS)[number]): void {
  app.get(tasks, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = world.tasks.filter((task) => isMatch(world, task, query));
    if ((query.order_by ?? query.sorting) === 'desc') rows.reverse();
    return c.json(toPage(rows, query, (task) => formatTask(world, task)));
  });
  app.get(`${tasks}/:id`, (c) => {
    const task = findById(world.tasks, { kind: 'Task', id: c.req.param('id') });
    return c.json(formatTask(world, task));
  });
  app.post(`${tasks}/acknowledge_all`, (c) => {
    const query = parseQuery(world, acknowledgeQuerySchema, c.req.queries());
    const { project_id: project, region_id: region } = query;
    const open = world.tasks.filter(
      (task) =>
        (project === undefined || task.projectId === project) &&
        (region === undefined || task.regionId === region),
    );
    for (const task of open) acknowledge(world, task);
    return c.body(null, 204);
  });
  app.post(`${tasks}/:id/acknowledge`, (c) => {
    const wanted = { kind: 'Task', id: c.req.param('id') };
    acknowledge(world, findById(world.tasks, wanted));
    return c.json(formatTask(world, findById(world.tasks, wanted)));
  });
}

function isMatch(world: World, task: Readonly<TaskEntity>, query: ListQuery): boolean {
  return (
    task.listedAt <= world.now() &&
    isWanted(query.project_id, task.projectId) &&
    isWanted(query.region_id, task.regionId) &&
    isWanted(query.state, taskState(world, task)) &&
    (query.is_acknowledged === undefined || query.is_acknowledged === isAcknowledged(task)) &&
    (query.task_type === undefined || query.task_type === task.plan.kind) &&
    isCreatedWithin(task, query)
  );
}

function acknowledge(world: World, task: Readonly<TaskEntity>): void {
  if (!isAcknowledged(task)) world.tasks.update(task.id, { acknowledgedAt: world.now() });
}

function isAcknowledged({ acknowledgedAt = null }: Readonly<TaskEntity>): boolean {
  return acknowledgedAt !== null;
}

function isWanted<T>(wanted: readonly T[] | undefined, value: NoInfer<T> | null): boolean {
  return wanted === undefined || (value !== null && wanted.includes(value));
}

/** Compares by `created_on`, which has whole seconds: a task seems up to a second older than its call. */
function isCreatedWithin(task: Readonly<TaskEntity>, query: ListQuery): boolean {
  const createdOn = Math.floor(task.createdAt / 1000) * 1000;
  const { from_timestamp: from = -Infinity, to_timestamp: to = Infinity } = query;
  return from <= createdOn && createdOn <= to;
}
