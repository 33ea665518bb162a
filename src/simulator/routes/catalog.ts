import type { Hono } from 'hono';

import { FLAVORS, PROJECTS, REGIONS } from '../state/catalog.js';
import { pageSchema, parseQuery, toPage } from '../http/list-query.js';
import { toScope } from '../http/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import type { World } from '../state/world.js';

const FLAVORS_PATH = '/cloud/v1/flavors/:project{[0-9]+}/:region{[0-9]+}';

/** The catalogue: projects, regions and flavors. */
export function addCatalogRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get('/cloud/v1/projects', (c) => {
    const page = parseQuery(world, pageSchema, c.req.queries());
    return c.json(toPage(PROJECTS, page, (project) => project));
  });
  app.get('/cloud/v1/regions', (c) => {
    const page = parseQuery(world, pageSchema, c.req.queries());
    return c.json(toPage(REGIONS, page, (region) => region));
  });
  app.get(FLAVORS_PATH, (c) => {
    toScope(c.req.param());
    const page = parseQuery(world, pageSchema, c.req.queries());
    return c.json(toPage(FLAVORS, page, (flavor) => flavor));
  });
}
