import type { Hono } from 'hono';
import { z } from 'zod';

import {
  createImageFromVolume,
  deleteImage,
  patchImage,
  uploadImage,
} from '../changes/change-image.js';
import { formatImage, withImagePrice } from '../http/format-image.js';
import { flagSchema, pageShape, parseQuery, toPage } from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import { findStocked, rowsIn } from '../http/stocked.js';
import { matchesTags, tagFilterShape } from '../http/tags.js';
import type { ImageEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

const priceShape = { include_prices: flagSchema.default(false) };

const listQuerySchema = z.strictObject({
  ...pageShape(1000),
  ...tagFilterShape,
  ...priceShape,
  architecture: z.enum(['aarch64', 'x86_64']).optional(),
  name: z.string().optional(),
  os_distro: z.string().optional(),
  os_version: z.string().optional(),
  private: z.string().optional(),
  visibility: z.enum(['private', 'public', 'shared']).optional(),
});
type ListQuery = z.infer<typeof listQuerySchema>;

const LIST = '/cloud/v1/images/:project{[0-9]+}/:region{[0-9]+}';
const ONE = `${LIST}/:id` as const;
const UPLOAD = '/cloud/v1/downloadimage/:project{[0-9]+}/:region{[0-9]+}';

/** Images: made and deleted by tasks, patched immediately. */
export function addImageRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = rowsIn(world, 'images', toScope(c.req.param())).filter(
      (row) => row.listedAt <= world.now() && isMatch(row, query),
    );
    const format = query.include_prices ? withImagePrice : formatImage;
    return c.json(toPage(rows, query, (row) => format(world, row)));
  });
  app.post(LIST, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    return c.json({ tasks: [createImageFromVolume(world, await readJson(c), mutation)] });
  });
  app.post(UPLOAD, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    return c.json({ tasks: [uploadImage(world, await readJson(c), mutation)] });
  });
  app.get(ONE, (c) => {
    const image = find(world, c.req.param());
    const query = parseQuery(world, z.strictObject(priceShape), c.req.queries());
    return c.json(query.include_prices ? withImagePrice(world, image) : formatImage(world, image));
  });
  app.patch(ONE, async (c) => {
    patchImage(world, find(world, c.req.param()), await readJson(c));
    return c.json(formatImage(world, find(world, c.req.param())));
  });
  app.delete(ONE, (c) => {
    const image = find(world, c.req.param());
    return c.json({ tasks: [deleteImage(world, image, toMutation(c, image))] });
  });
}

function find(world: World, params: { project: string; region: string; id: string }) {
  return findStocked(world, 'images', { scope: toScope(params), name: 'Image', id: params.id });
}

/** `private` counts with any value. */
function isMatch(row: Readonly<ImageEntity>, query: ListQuery): boolean {
  return (
    row.name.toLowerCase().includes((query.name ?? '').toLowerCase()) &&
    isSame(query.os_distro, row.osDistro) &&
    isSame(query.os_version, row.osVersion) &&
    (query.architecture === undefined || row.architecture === query.architecture) &&
    (query.private === undefined || row.visibility === 'private') &&
    (query.visibility === undefined || row.visibility === query.visibility) &&
    matchesTags(row.tags, query)
  );
}

function isSame(wanted: string | undefined, value: string): boolean {
  return wanted === undefined || wanted.toLowerCase() === value.toLowerCase();
}
