import type { Hono } from 'hono';
import { z } from 'zod';

import { FLAVORS, PROJECTS, REGIONS } from '../state/catalog.js';
import { pageShape, parseQuery, toPage } from '../http/query.js';
import { toScope } from '../state/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';

const pageSchema = z.strictObject(pageShape(1000));

const FLAVORS_PATH = '/cloud/v1/flavors/:project{[0-9]+}/:region{[0-9]+}';

export function addCatalogRoutes(app: Hono<SimulatorEnv>): void {
  app.get('/cloud/v1/projects', (c) => {
    const page = parseQuery(pageSchema, c.req.queries());
    return c.json(toPage(PROJECTS, page, (project) => project));
  });
  app.get('/cloud/v1/regions', (c) => {
    const page = parseQuery(pageSchema, c.req.queries());
    return c.json(toPage(REGIONS, page, (region) => region));
  });
  app.get(FLAVORS_PATH, (c) => {
    toScope(c.req.param());
    const page = parseQuery(pageSchema, c.req.queries());
    return c.json(toPage(FLAVORS, page, (flavor) => flavor));
  });
}
