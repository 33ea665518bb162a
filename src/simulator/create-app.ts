import { Hono, type MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';

import { authenticate } from './http/authenticate.js';
import {
  CloudError,
  cloudErrorBody,
  errorBodyAt,
  methodNotAllowedError,
  notFoundError,
} from './http/cloud-error.js';
import { addCatalogRoutes } from './routes/catalog.js';
import { addCloudSshKeyRoutes } from './routes/cloud-ssh-keys.js';
import { addDdosRoutes } from './routes/ddos.js';
import { addFloatingIpRoutes } from './routes/floating-ips.js';
import { addImageRoutes } from './routes/images.js';
import { addInstanceGroupRoutes } from './routes/instance-groups.js';
import { addInstanceRoutes } from './routes/instances.js';
import { addLookupRoutes } from './routes/lookups.js';
import { addSftpStorageRoutes } from './routes/sftp-storages.js';
import { addKvDataRoutes } from './routes/kv-data.js';
import { addKvStoreRoutes } from './routes/kv-stores.js';
import { addNetworkRoutes } from './routes/networks.js';
import { addOlderCalls } from './routes/older-calls.js';
import { addPlacementGroupRoutes } from './routes/placement-groups.js';
import { addProjectRoutes } from './routes/projects.js';
import { addSecurityGroupRuleRoutes } from './routes/security-group-rules.js';
import { addSecurityGroupRoutes } from './routes/security-groups.js';
import { addSshKeyRoutes } from './routes/ssh-keys.js';
import { addSubnetRoutes } from './routes/subnets.js';
import { addStorageLocationRoutes } from './routes/storage-locations.js';
import { addSubtitleRoutes } from './routes/subtitles.js';
import { addTaskRoutes } from './routes/tasks.js';
import { addVideoRoutes } from './routes/videos.js';
import { addVolumeRoutes } from './routes/volumes.js';
import { addInterfaceRoutes } from './routes/interfaces.js';
import { addReservedFixedIpRoutes } from './routes/reserved-fixed-ips.js';
import { addSnapshotRoutes } from './routes/snapshots.js';
import { keepRoutes } from './http/kept-routes.js';
import { refuseProjects } from './http/refuse-projects.js';
import type { SimulatorEnv } from './http/simulator-env.js';
import type { ApiKeys } from './state/api-keys.js';
import { settleTasks } from './state/settle-tasks.js';
import type { World } from './state/world.js';

/** The API without faults: authentication, then the clock, then the routes. */
export function createApp(world: World, keys: ApiKeys): Hono<SimulatorEnv> {
  const app = new Hono<SimulatorEnv>({ router: keepRoutes() });
  app.use(async (c, next) => {
    authenticate(c.req.header('authorization'), keys);
    settleTasks(world);
    await next();
    // The clock of the cloud, and not the one of this machine.
    c.header('date', new Date(world.now()).toUTCString());
  });
  app.use(refuseMethods(app));
  app.use(refuseProjects(world));
  addProjectRoutes(app, world);
  addNetworkRoutes(app, world);
  addSubnetRoutes(app, world);
  addImageRoutes(app, world);
  addSecurityGroupRoutes(app, world);
  addSecurityGroupRuleRoutes(app, world);
  addOlderCalls(app, world);
  addPlacementGroupRoutes(app, world);
  addInstanceGroupRoutes(app, world);
  addInstanceRoutes(app, world);
  addVolumeRoutes(app, world);
  addFloatingIpRoutes(app, world);
  addTaskRoutes(app, world);
  addDdosRoutes(app, world);
  addCatalogRoutes(app, world);
  addLookupRoutes(app, world);
  addSshKeyRoutes(app, world);
  addSftpStorageRoutes(app, world);
  addStorageLocationRoutes(app, world);
  addCloudSshKeyRoutes(app, world);
  addVideoRoutes(app, world);
  addSubtitleRoutes(app, world);
  addKvStoreRoutes(app, world);
  addSnapshotRoutes(app, world);
  addInterfaceRoutes(app, world);
  addReservedFixedIpRoutes(app, world);
  addKvDataRoutes(app, world);
  app.notFound((c) =>
    c.json(errorBodyAt(c.req.path, notFoundError(`${c.req.path} is not found`)) ?? {}, 404),
  );
  app.onError((error, c) => {
    if (!(error instanceof CloudError)) {
      return c.json(cloudErrorBody('InternalServerError', error.message), 500);
    }
    const body = errorBodyAt(c.req.path, error);
    return body === undefined ? c.body(null, error.status) : c.json(body, error.status);
  });
  return app;
}

/** A path that is served, but not with this method. */
function refuseMethods(app: Hono<SimulatorEnv>): MiddlewareHandler<SimulatorEnv> {
  return methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) => {
      const body = errorBodyAt(c.req.path, methodNotAllowedError(c.req.method));
      return c.json(body ?? {}, 405, { Allow: methods.join(', ') });
    },
  });
}
