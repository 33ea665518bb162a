import type { Hono } from 'hono';
import { z } from 'zod';

import { orderedBy, pageShape, parseQuery, toPage } from '../http/list-query.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import { STORAGE_LOCATIONS } from '../state/storage-locations.js';
import type { World } from '../state/world.js';

/** Which orders there are is undocumented. */
const listQuerySchema = z.strictObject({
  ...pageShape(10),
  type: z.enum(['standard', 'fast', 'sftp']).optional(),
  order_by: z.enum(['name.asc', 'name.desc', 'title.asc', 'title.desc']).default('name.asc'),
});

/** Where SFTP storages and buckets can be made. */
export function addStorageLocationRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get('/storage/v4/locations', (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = STORAGE_LOCATIONS.filter(({ tier }) => (query.type ?? tier) === tier);
    const order = orderedBy<Location>(query.order_by, (row, field) =>
      field === 'title' ? [row.title, row.name] : [row.name],
    );
    return c.json(toPage(rows.sort(order), query, formatLocation));
  });
}

type Location = (typeof STORAGE_LOCATIONS)[number];

function formatLocation({ name, title, type, technicalName, address }: Location) {
  return { name, title, type, technical_name: technicalName, address };
}
