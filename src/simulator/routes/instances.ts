import type { Hono } from 'hono';
import { z } from 'zod';

import {
  deleteInstance,
  deleteInstanceQuerySchema,
  patchInstance,
} from '../changes/change-instance.js';
import { actOnInstance, changeFlavor } from '../changes/act-on-instance.js';
import { createInstance } from '../changes/create-instance.js';
import { formatInstance } from '../http/formatters.js';
import { parseCreateBody } from '../changes/parse-create-body.js';
import {
  hasTags,
  orderedBy,
  pageShape,
  parseQuery,
  tagKeyValueSchema,
  toPage,
} from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { findByPath, listInScope, toScope } from '../http/scope.js';
import type { InstanceEntity } from '../state/rows.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import type { World } from '../state/world.js';

const listQuerySchema = z.strictObject({
  ...pageShape(1000),
  name: z.string().optional(),
  status: z.string().optional(),
  tag_key_value: tagKeyValueSchema.optional(),
  order_by: z
    .templateLiteral([z.enum(['created', 'name', 'status']), '.', z.enum(['asc', 'desc'])])
    .default('created.desc'),
  // The simulator has no Kubernetes nodes, so this parameter has no effect.
  include_k8s: z.enum(['true', 'false']).optional(),
});
type ListQuery = z.infer<typeof listQuerySchema>;

const LIST = '/cloud/v1/instances/:project{[0-9]+}/:region{[0-9]+}';
const ONE = '/cloud/v1/instances/:project{[0-9]+}/:region{[0-9]+}/:id';
const CREATE = '/cloud/v2/instances/:project{[0-9]+}/:region{[0-9]+}';

/** Instances: created and deleted by tasks, patched immediately. */
export function addInstanceRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.post(CREATE, async (c) => {
    const scope = toScope(c.req.param());
    const body = parseCreateBody(await readJson(c));
    return c.json({ tasks: [createInstance(world, body, toMutation(c, scope))] });
  });
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = listInScope(world.instances, toScope(c.req.param()), world.now());
    const matching = rows
      .filter((row) => isMatch(row, query))
      .sort(orderedBy(query.order_by, sortKeys));
    return c.json(toPage(matching, query, (row) => formatInstance(world, row)));
  });
  app.get(ONE, (c) => c.json(formatInstance(world, find(world, c.req.param()))));
  app.patch(ONE, async (c) => {
    patchInstance(world, find(world, c.req.param()), await readJson(c));
    return c.json(formatInstance(world, find(world, c.req.param())));
  });
  app.post(`${ONE}/changeflavor`, async (c) => {
    const instance = find(world, c.req.param());
    const mutation = toMutation(c, instance);
    return c.json({
      tasks: [changeFlavor(world, instance, { json: await readJson(c), mutation })],
    });
  });
  app.post(`${CREATE}/:id/action`, async (c) => {
    const instance = find(world, c.req.param());
    const mutation = toMutation(c, instance);
    return c.json({
      tasks: [actOnInstance(world, instance, { json: await readJson(c), mutation })],
    });
  });
  app.delete(ONE, (c) => {
    const instance = find(world, c.req.param());
    const query = parseQuery(world, deleteInstanceQuerySchema, c.req.queries());
    const mutation = toMutation(c, instance);
    return c.json({ tasks: [deleteInstance(world, instance, { query, mutation })] });
  });
}

function find(world: World, params: { project: string; region: string; id: string }) {
  return findByPath(world.instances, 'Instance', params);
}

function isMatch(row: Readonly<InstanceEntity>, query: ListQuery): boolean {
  return (
    row.name.includes(query.name ?? '') &&
    (query.status === undefined || row.status === query.status) &&
    hasTags(row.tags, query.tag_key_value ?? {})
  );
}

function sortKeys(row: Readonly<InstanceEntity>, field: string) {
  if (field === 'name') return [row.name];
  return field === 'status' ? [row.status] : [row.createdAt];
}
