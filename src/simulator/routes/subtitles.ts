import type { Context, Hono } from 'hono';

import { addSubtitle, subtitlesOf } from '../changes/change-video.js';
import { parseSubtitle, parseSubtitleChange } from '../changes/parse-video.js';
import { notFoundError } from '../http/cloud-error.js';
import { readJson } from '../http/request-body.js';
import { findById } from '../http/scope.js';
import type { SimulatorEnv } from '../http/simulator-env.js';
import type { SubtitleEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

const LIST = '/streaming/videos/:video{[0-9]+}/subtitles';
const ONE = '/streaming/videos/:video{[0-9]+}/subtitles/:id{[0-9]+}';

/** Subtitles of videos. A video may have several in the same language. */
export function addSubtitleRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => c.json(subtitlesOf(world, findVideo(world, c).id).map(formatSubtitle)));
  app.post(LIST, async (c) => {
    const { id } = findVideo(world, c);
    return c.json(formatSubtitle(addSubtitle(world, id, parseSubtitle(world, await readJson(c)))));
  });
  app.get(ONE, (c) => c.json(formatSubtitle(findSubtitle(world, c))));
  app.patch(ONE, async (c) => {
    const subtitle = findSubtitle(world, c);
    world.subtitles.merge(subtitle.id, parseSubtitleChange(world, await readJson(c)));
    return c.json(formatTexts(findSubtitle(world, c)));
  });
  app.delete(ONE, (c) => {
    world.subtitles.delete(findSubtitle(world, c).id);
    return c.body(null, 204);
  });
}

function formatSubtitle(subtitle: Readonly<SubtitleEntity>) {
  return { id: Number(subtitle.id), ...formatTexts(subtitle) };
}

/** The answer to a change has no id. */
function formatTexts({ name, language, vtt }: Readonly<SubtitleEntity>) {
  return { name, language, vtt };
}

function findVideo(world: World, c: Context<SimulatorEnv>) {
  return findById(world.videos, { kind: 'Video', id: c.req.param('video') ?? '' });
}

function findSubtitle(world: World, c: Context<SimulatorEnv>): Readonly<SubtitleEntity> {
  const id = c.req.param('id') ?? '';
  const subtitle = subtitlesOf(world, findVideo(world, c).id).find((row) => row.id === id);
  if (subtitle === undefined) throw notFoundError(`Subtitle ${id} is not found`);
  return subtitle;
}
