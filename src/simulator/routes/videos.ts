import type { Hono } from 'hono';
import { z } from 'zod';

import { sentVideoItemSchema, type SentVideoItem } from '../../contract/api/streaming.js';
import { badRequestError, CloudError, unprocessableError } from '../http/cloud-error.js';
import { formatVideo } from '../http/format-video.js';
import { parseQuery } from '../http/list-query.js';
import { parsePart, readJson, toJson } from '../http/request-body.js';
import { findById } from '../http/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import type { VideoEntity } from '../state/rows.js';
import { createVideo, videoStatus } from '../state/videos.js';
import type { World } from '../state/world.js';

const MAX_BATCH_VIDEOS = 500;
const MAX_BATCH_BYTES = 64 * 1024 ** 2;
const MAX_PAGE_VIDEOS = 500;

/** The default and the maximum of `per_page` are undocumented: both are traps for callers that rely on them. */
const listQuerySchema = z.strictObject({
  id: z
    .string()
    .regex(/^\d+(,\d+)*$/)
    .optional(),
  client_user_id: z.coerce.number().int().optional(),
  search: z.string().optional(),
  status: z.string().optional(),
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce
    .number()
    .int()
    .min(1)
    .default(25)
    .transform((rows) => Math.min(rows, MAX_PAGE_VIDEOS)),
});
type ListQuery = z.infer<typeof listQuerySchema>;

const batchBodySchema = z.object({ videos: z.array(z.unknown()) });
const singleBodySchema = z.object({ video: z.unknown() });

const LIST = '/streaming/videos';
const ONE = '/streaming/videos/:id{[0-9]+}';

/** Videos: created in batches and listed as bare arrays. Their states change by the clock. */
export function addVideoRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.post(`${LIST}/batch`, async (c) => {
    const text = await c.req.text();
    if (Buffer.byteLength(text) > MAX_BATCH_BYTES) {
      throw new CloudError(413, 'HTTPError', { message: 'Request entity too large' });
    }
    const { effects } = c.env;
    const items = parseBatch(world, toJson(text));
    const made = items
      .slice(0, effects.maxItems ?? items.length)
      .map((item) => createVideo(world, item, effects.listLagMs ?? 0));
    return c.json(made.map((row) => formatVideo(world, row)));
  });
  app.post(LIST, async (c) => {
    const parsed = singleBodySchema.safeParse(await readJson(c));
    const item = parseItem(world, parsed.success ? parsed.data.video : undefined);
    return c.json(formatVideo(world, createVideo(world, item, c.env.effects.listLagMs ?? 0)));
  });
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = matchingVideos(world, query).filter(({ listedAt }) => listedAt <= world.now());
    const from = (query.page - 1) * query.per_page;
    const page = rows
      .sort((a, b) => Number(b.id) - Number(a.id))
      .slice(from, from + query.per_page);
    return c.json(page.map((row) => formatVideo(world, row)));
  });
  app.get(ONE, (c) => c.json(formatVideo(world, find(world, c.req.param('id')))));
  app.delete(ONE, (c) => {
    world.videos.delete(find(world, c.req.param('id')).id);
    return c.body(null, 204);
  });
}

/** Refuses the whole batch when one item is wrong. The API does not document this case. */
function parseBatch(world: World, json: unknown): SentVideoItem[] {
  const parsed = batchBodySchema.safeParse(json);
  if (!parsed.success || parsed.data.videos.length === 0)
    throw badRequestError('videos is missing');
  const { videos } = parsed.data;
  if (videos.length > MAX_BATCH_VIDEOS)
    throw badRequestError(`More than ${MAX_BATCH_VIDEOS} videos`);
  return videos.map((item) => parseItem(world, item));
}

function parseItem(world: World, json: unknown): SentVideoItem {
  const parsed = parsePart(world, sentVideoItemSchema, json);
  if (parsed.ok && !/^unacceptable/.test(parsed.value.name)) return parsed.value;
  throw unprocessableError(
    parsed.ok ? [{ path: 'name', message: 'is not acceptable' }] : parsed.faults,
  );
}

function matchingVideos(world: World, query: ListQuery): Readonly<VideoEntity>[] {
  const { id, client_user_id: clientUserId, search, status } = query;
  const candidates =
    id === undefined
      ? world.videos.filter(() => true)
      : id.split(',').flatMap((videoId) => world.videos.get(videoId) ?? []);
  return candidates.filter(
    (row) =>
      (clientUserId === undefined || row.clientUserId === clientUserId) &&
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
