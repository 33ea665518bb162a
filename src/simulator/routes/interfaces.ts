import type { Hono } from 'hono';

import { attachInterface, detachInterface } from '../changes/change-interfaces.js';
import { refuseLocked } from '../changes/refuse-locked.js';
import { notFoundError } from '../http/cloud-error.js';
import { formatInterface } from '../http/format-port.js';
import { pageSchema, parseQuery, toPage } from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { findByPath, isInScope, toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import type { World } from '../state/world.js';

const PLACE = ':project{[0-9]+}/:region{[0-9]+}';
const INSTANCE = `/cloud/v1/instances/${PLACE}/:id`;
const PORT = `/cloud/v1/ports/${PLACE}/:id`;

/** The interfaces of instances, and the ports behind them. */
export function addInterfaceRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(`${INSTANCE}/interfaces`, (c) => {
    const instance = find(world, c.req.param());
    const page = parseQuery(world, pageSchema, c.req.queries());
    return c.json(
      toPage(instance.ports, page, (port) => ({
        ...formatInterface(world, instance, port),
        sub_ports: [],
      })),
    );
  });
  app.post(`${INSTANCE}/attach_interface`, async (c) => {
    const instance = find(world, c.req.param());
    const mutation = toMutation(c, instance);
    return c.json({
      tasks: attachInterface(world, instance, { json: await readJson(c), mutation }),
    });
  });
  app.post(`${INSTANCE}/detach_interface`, async (c) => {
    const instance = find(world, c.req.param());
    const mutation = toMutation(c, instance);
    return c.json({
      tasks: [detachInterface(world, instance, { json: await readJson(c), mutation })],
    });
  });
  app.post(`${PORT}/enable_port_security`, (c) =>
    c.json(securePort(world, c.req.param(), { portSecurityEnabled: true })),
  );
  app.post(`${PORT}/disable_port_security`, (c) =>
    c.json(securePort(world, c.req.param(), { portSecurityEnabled: false })),
  );
}

function find(world: World, params: { project: string; region: string; id: string }) {
  return findByPath(world.instances, 'Instance', params);
}

function securePort(
  world: World,
  params: { project: string; region: string; id: string },
  change: { portSecurityEnabled: boolean },
) {
  const scope = toScope(params);
  const [instance] = world.instances.filter(
    (row) => isInScope(row, scope) && row.ports.some(({ portId }) => portId === params.id),
  );
  const port = instance?.ports.find(({ portId }) => portId === params.id);
  if (instance === undefined || port === undefined) {
    throw notFoundError(`Port ${params.id} is not found`);
  }
  refuseLocked('Instance', instance);
  const changed = { ...port, ...change };
  const ports = instance.ports.map((row) => (row === port ? changed : row));
  world.instances.update(instance.id, { ports });
  return formatInterface(world, instance, changed);
}
