import type { Hono } from 'hono';
import { z } from 'zod';

import { priceFields } from '../changes/check-limits.js';
import { notFoundError } from '../http/cloud-error.js';
import { flagSchema, orderedBy, pageShape, parseQuery, toPage } from '../http/list-query.js';
import { toScope } from '../http/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import { APP_TEMPLATES, findAppTemplate } from '../state/app-templates.js';
import { FLAVORS, findRegion, REGIONS, VOLUME_TYPES } from '../state/catalog.js';
import type { World } from '../state/world.js';

const showTypesShape = { show_volume_types: flagSchema.default(false) };

const regionsQuerySchema = z.strictObject({
  ...pageShape(100),
  ...showTypesShape,
  display_name: z.string().optional(),
  product: z.enum(['containers', 'inference']).optional(),
  order_by: z
    .enum(['created_at.asc', 'created_at.desc', 'display_name.asc', 'display_name.desc'])
    .default('created_at.asc'),
});

const flavorsQuerySchema = z.strictObject({
  ...pageShape(1000),
  /** Inferred from its default, `true`: without it the list has disabled flavors too. */
  disabled: flagSchema.default(true),
  exclude_linux: flagSchema.default(false),
  exclude_windows: flagSchema.default(false),
  include_prices: flagSchema.default(false),
});

const FLAVORS_PATH = '/cloud/v1/flavors/:project{[0-9]+}/:region{[0-9]+}';

const TEMPLATES_PATH = '/cloud/v1/apptemplates/:project{[0-9]+}/:region{[0-9]+}';

/** The catalogue of the platform: regions, flavors and application templates. */
export function addCatalogRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get('/cloud/v1/regions', (c) => {
    const query = parseQuery(world, regionsQuerySchema, c.req.queries());
    const { display_name: name, product } = query;
    const matching = REGIONS.filter(
      ({ wire, products }) =>
        (name === undefined || wire.display_name.toLowerCase() === name.toLowerCase()) &&
        (product === undefined || products.includes(product)),
    ).map(({ wire }) => wire);
    const rows = matching.sort(
      orderedBy(query.order_by, (row, field) =>
        field === 'display_name' ? [row.display_name] : [row.created_at, row.id],
      ),
    );
    return c.json(toPage(rows, query, (row) => formatRegion(row, query)));
  });
  app.get('/cloud/v1/regions/:id{[0-9]+}', (c) => {
    const id = c.req.param('id');
    const region = findRegion(Number(id));
    if (region === undefined) throw notFoundError(`Region ${id} is not found`);
    const query = parseQuery(world, z.strictObject(showTypesShape), c.req.queries());
    return c.json(formatRegion(region, query));
  });
  app.get(FLAVORS_PATH, (c) => {
    toScope(c.req.param());
    const query = parseQuery(world, flavorsQuerySchema, c.req.queries());
    const rows = FLAVORS.filter(
      ({ os_type: os, disabled }) =>
        !(query.exclude_linux && os === 'linux') &&
        !(query.exclude_windows && os === 'windows') &&
        (query.disabled || !disabled),
    );
    return c.json(
      toPage(rows, query, (flavor) => ({
        ...flavor,
        ...(query.include_prices && priceFields({ vcpus: flavor.vcpus, gib: 0 })),
      })),
    );
  });
  addTemplateRoutes(app);
}

function addTemplateRoutes(app: Hono<SimulatorEnv>): void {
  app.get(TEMPLATES_PATH, (c) => {
    const { regionId } = toScope(c.req.param());
    const results = APP_TEMPLATES.map((template) => ({ ...template, region_id: regionId }));
    return c.json({ count: results.length, results });
  });
  app.get(`${TEMPLATES_PATH}/:id`, (c) => {
    const { regionId } = toScope(c.req.param());
    const template = findAppTemplate(c.req.param('id'));
    if (template === undefined)
      throw notFoundError(`App template ${c.req.param('id')} is not found`);
    return c.json({ ...template, region_id: regionId });
  });
}

type Region = (typeof REGIONS)[number]['wire'];

function formatRegion(region: Region, query: { show_volume_types: boolean }) {
  return query.show_volume_types ? { ...region, available_volume_types: VOLUME_TYPES } : region;
}
