import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';

import type { World } from '../state/world.js';
import { conflictError, notFoundError } from './cloud-error.js';
import type { SimulatorEnv } from './simulator-env.js';

const PARAMETER = ':project{[0-9]+}';

/** Refuses what names a project that is not there, and changes in one that is being deleted. */
export function refuseProjects(world: World): MiddlewareHandler<SimulatorEnv> {
  return async (c, next) => {
    const position = routePath(c, -1).split('/').indexOf(PARAMETER);
    if (position !== -1) {
      const id = c.req.path.split('/')[position] ?? '';
      const project = world.projects.get(String(Number(id)));
      if (project === undefined || project.state === 'DELETED') {
        throw notFoundError(`Project ${id} is not found`);
      }
      if (project.taskId !== null && c.req.method !== 'GET') {
        throw conflictError(`Project ${id} is locked by task ${project.taskId}`);
      }
    }
    await next();
  };
}
