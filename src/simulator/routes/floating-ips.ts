import type { Hono } from 'hono';

import { TaskType } from '../../contract/wire/tasks.js';
import { refuseLocked } from '../changes/change-instance.js';
import { formatFloatingIp } from '../http/formatters.js';
import { pageSchema, parseQuery, toPage } from '../http/list-query.js';
import { findByPath, listInScope, toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import { removalOf, startChange } from '../state/start-change.js';
import type { World } from '../state/world.js';

const LIST = '/cloud/v1/floatingips/:project{[0-9]+}/:region{[0-9]+}';
const ONE = '/cloud/v1/floatingips/:project{[0-9]+}/:region{[0-9]+}/:id';

/** Floating IPs. Only a create call of an instance creates new ones. */
export function addFloatingIpRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const page = parseQuery(world, pageSchema, c.req.queries());
    const rows = listInScope(world.floatingIps, toScope(c.req.param()), world.now());
    return c.json(toPage(rows, page, (row) => formatFloatingIp(world, row)));
  });
  app.get(ONE, (c) => c.json(formatFloatingIp(world, find(world, c.req.param()))));
  app.delete(ONE, (c) => {
    const floatingIp = find(world, c.req.param());
    refuseLocked('Floating IP', floatingIp);
    const started = startChange(world, toMutation(c, floatingIp), {
      kind: TaskType.deleteFloatingIp,
      data: { floatingip_id: floatingIp.id },
      locked: [{ rows: 'floatingIps', id: floatingIp.id }],
      done: [removalOf('floatingIps', floatingIp.id)],
    });
    return c.json({ tasks: [started] });
  });
}

function find(world: World, params: { project: string; region: string; id: string }) {
  return findByPath(world.floatingIps, 'Floating IP', params);
}
