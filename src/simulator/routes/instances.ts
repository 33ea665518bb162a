import type { Hono } from 'hono';
import { z } from 'zod';

import { deleteInstance, deleteInstanceQuerySchema } from '../changes/change-instance.js';
import { actOnInstance, changeFlavor } from '../changes/act-on-instance.js';
import { createInstance } from '../changes/create-instance.js';
import { parseCreateBodies } from '../changes/parse-create-body.js';
import { conflictError, validationError } from '../http/cloud-error.js';
import { patchNameAndTags } from '../changes/patch-name-and-tags.js';
import { formatInstance, formatListedInstance } from '../http/format-instance.js';
import { instanceQuerySchema, isWanted } from '../http/instance-query.js';
import { orderedBy, parseQuery, toPage } from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { findByPath, listInScope, toScope } from '../http/scope.js';
import type { InstanceEntity } from '../state/rows.js';
import { newId } from '../state/start-task.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import type { World } from '../state/world.js';

const LIST = '/cloud/v1/instances/:project{[0-9]+}/:region{[0-9]+}';
const ONE = '/cloud/v1/instances/:project{[0-9]+}/:region{[0-9]+}/:id';
const CREATE = '/cloud/v2/instances/:project{[0-9]+}/:region{[0-9]+}';

/** Instances: created and deleted by tasks, patched immediately. */
export function addInstanceRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.post(CREATE, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    const bodies = parseCreateBodies(world, mutation, await readJson(c));
    return c.json({ tasks: bodies.map((body) => createInstance(world, body, mutation)) });
  });
  app.get(LIST, (c) => {
    const query = parseQuery(world, instanceQuerySchema, c.req.queries());
    const rows = listInScope(world.instances, toScope(c.req.param()), world.now());
    const matching = rows
      .filter((row) => isWanted(world, row, query))
      .sort(orderedBy(query.order_by, sortKeys));
    const { with_ddos: ddosProfile, with_interfaces_name: interfaceNames } = query;
    const view = { ddosProfile, interfaceNames };
    return c.json(toPage(matching, query, (row) => formatListedInstance(world, row, view)));
  });
  app.get(ONE, (c) => c.json(formatInstance(world, find(world, c.req.param()))));
  app.patch(ONE, async (c) => {
    const row = find(world, c.req.param());
    patchNameAndTags(world, 'instances', { row, json: await readJson(c) });
    return c.json(formatInstance(world, find(world, c.req.param())));
  });
  app.get(`${ONE}/get_console`, (c) => {
    const query = parseQuery(world, consoleQuerySchema, c.req.queries());
    return c.json(consoleOf(find(world, c.req.param()), query.console_type));
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

const consoleQuerySchema = z.strictObject({
  console_type: z.enum(['novnc', 'serial', 'spice', 'vnc']).default('novnc'),
});

const CONSOLES: Readonly<Record<string, { protocol: string; page: string }>> = {
  novnc: { protocol: 'vnc', page: 'vnc_auto.html' },
  spice: { protocol: 'spice', page: 'spice_auto.html' },
};

/** The other types of consoles are those of bare metal. */
function consoleOf({ id, status }: Readonly<InstanceEntity>, type: string) {
  const console = CONSOLES[type];
  if (console === undefined) {
    const message = `${type} is not available for virtual instances`;
    throw validationError([{ path: 'console_type', message }]);
  }
  if (status !== 'ACTIVE') throw conflictError(`Instance ${id} is ${status}`);
  const { protocol, page } = console;
  const url = `https://console.simulator.test/${page}?token=${newId()}`;
  return { remote_console: { type, protocol, url } };
}

function sortKeys(row: Readonly<InstanceEntity>, field: string) {
  if (field === 'name') return [row.name];
  return field === 'status' ? [row.status] : [row.createdAt];
}
