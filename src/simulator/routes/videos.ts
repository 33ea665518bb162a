import type { Hono } from 'hono';
import { z } from 'zod';

import { changeVideo, createVideo, removeVideo } from '../changes/change-video.js';
import { parseBatch, parseChange, parseSingle } from '../changes/parse-video.js';
import { CloudError } from '../http/cloud-error.js';
import { formatListedVideo, formatVideo } from '../http/format-video.js';
import { parseQuery } from '../http/list-query.js';
import { readJson, toJson } from '../http/request-body.js';
import { findById } from '../http/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import { chosen } from '../http/video-fields.js';
import type { VideoEntity } from '../state/rows.js';
import { newId } from '../state/start-task.js';
import { videoStatus } from '../state/videos.js';
import type { World } from '../state/world.js';

const MAX_BATCH_BYTES = 64 * 1024 ** 2;
const MAX_PAGE_VIDEOS = 500;

const IDS = /^\d+(?:,\d+)*$/;

/** The default and the maximum of `per_page` are undocumented: both are traps for callers that rely on them. */
const listQuerySchema = z.strictObject({
  id: z.string().regex(IDS).optional(),
  client_user_id: z.coerce.number().int().optional(),
  stream_id: z.coerce.number().int().optional(),
  search: z.string().optional(),
  status: z.string().optional(),
  fields: z.string().optional(),
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce
    .number()
    .int()
    .min(1)
    .default(25)
    .transform((rows) => Math.min(rows, MAX_PAGE_VIDEOS)),
});
type ListQuery = z.infer<typeof listQuerySchema>;

const batchQuerySchema = z.strictObject({ fields: z.string().optional() });
/** The document says a list with commas; clients repeat the parameter. */
const namesQuerySchema = z.strictObject({
  ids: z
    .union([z.string(), z.array(z.string()).transform((ids) => ids.join())])
    .pipe(z.string().regex(IDS))
    .optional(),
});

const LIST = '/streaming/videos';
const ONE = '/streaming/videos/:id{[0-9]+}';

/** Videos: created in batches and listed as bare arrays. Their states change by the clock. */
export function addVideoRoutes(app: Hono<SimulatorEnv>, world: World): void {
  addCreateRoutes(app, world);
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = matchingVideos(world, query).filter(({ listedAt }) => listedAt <= world.now());
    const from = (query.page - 1) * query.per_page;
    const page = rows
      .sort((a, b) => Number(b.id) - Number(a.id))
      .slice(from, from + query.per_page);
    const choose = chosen(world, query.fields, ['stream_id']);
    return c.json(page.map((row) => choose(formatListedVideo(world, row))));
  });
  app.get(`${LIST}/names`, (c) => {
    const { ids = '' } = parseQuery(world, namesQuerySchema, c.req.queries());
    const rows = ids.split(',').flatMap((id) => world.videos.get(id) ?? []);
    return c.json(rows.map(({ id, name }) => ({ id: Number(id), name })));
  });
  app.get(ONE, (c) => c.json(formatVideo(world, find(world, c.req.param('id')))));
  app.get(`${ONE}/upload`, (c) => {
    const video = formatVideo(world, find(world, c.req.param('id')));
    // Nobody takes the file at this host.
    return c.json({ servers: [{ id: 1, hostname: 'upload.example' }], token: newId(), video });
  });
  app.patch(ONE, async (c) => {
    const video = find(world, c.req.param('id'));
    changeVideo(world, video, parseChange(world, await readJson(c), video.clipStartSeconds));
    return c.json(formatVideo(world, find(world, video.id)));
  });
  app.delete(ONE, (c) => {
    removeVideo(world, find(world, c.req.param('id')).id);
    return c.body(null, 204);
  });
}

function addCreateRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.post(`${LIST}/batch`, async (c) => {
    const choose = chosen(world, parseQuery(world, batchQuerySchema, c.req.queries()).fields);
    const text = await c.req.text();
    if (Buffer.byteLength(text) > MAX_BATCH_BYTES) {
      throw new CloudError(413, 'HTTPError', { message: 'Request entity too large' });
    }
    const { effects } = c.env;
    const items = parseBatch(world, toJson(text));
    const made = items
      .slice(0, effects.maxItems ?? items.length)
      .map((item) => createVideo(world, item, effects.listLagMs ?? 0));
    return c.json(made.map((row) => choose(formatVideo(world, row))));
  });
  app.post(LIST, async (c) => {
    const item = parseSingle(world, await readJson(c));
    const made = formatVideo(world, createVideo(world, item, c.env.effects.listLagMs ?? 0));
    return c.json(world.createdVideo === 'object' ? made : [made]);
  });
}

function matchingVideos(world: World, query: ListQuery): Readonly<VideoEntity>[] {
  const { id, client_user_id: clientUserId, stream_id: streamId, search, status } = query;
  const candidates =
    id === undefined
      ? world.videos.filter(() => true)
      : id.split(',').flatMap((videoId) => world.videos.get(videoId) ?? []);
  return candidates.filter(
    (row) =>
      (clientUserId === undefined || row.clientUserId === clientUserId) &&
      (streamId === undefined || row.streamId === streamId) &&
      (search === undefined || isFound(row, search)) &&
      (status === undefined || videoStatus(world, row).status === status),
  );
}

function isFound({ id, slug, name }: Readonly<VideoEntity>, search: string): boolean {
  return id === search || slug === search || name.includes(search);
}

function find(world: World, id: string): Readonly<VideoEntity> {
  return findById(world.videos, { kind: 'Video', id });
}
