import { z } from 'zod';

import { formatFaults } from '../engine/core/faults.js';
import { parseInput } from '../engine/schema/parse-input.js';

const heightSchema = z.number().int().min(1).max(10_000);

const linkOptionsSchema = z
  .strictObject({
    min: heightSchema.optional().describe('lists no quality below this height in pixels'),
    max: heightSchema.optional().describe('lists no quality above this height in pixels'),
    codec: z
      .enum(['h264', 'hevc', 'av1'])
      .optional()
      .describe('lists the qualities of one codec, where the video has several'),
    cmaf: z.boolean().optional().describe('HLS with CMAF chunks'),
    image: z.boolean().optional().describe('HLS with tiles of pictures, for trick play on Roku'),
    subtitle: z
      .string()
      .regex(/^[a-z]{2}$/, {
        error: 'must be a language code of two letters (ISO 639-1), such as en',
      })
      .optional()
      .describe('language of the subtitles that the player shows'),
    lowLatency: z
      .boolean()
      .optional()
      .describe('false: the player takes HLS with MPEG-TS chunks, without low latency'),
  })
  .refine(({ min = 0, max = Infinity }) => min <= max, {
    path: ['min'],
    error: 'must not be above "max"',
  });
export type VideoLinkOptions = z.infer<typeof linkOptionsSchema>;

/** The fields of a video of the API that its links are made from. */
export interface LinkedVideo {
  hls_url?: string | null | undefined;
  dash_url?: string | null | undefined;
  iframe_url?: string | null | undefined;
}

/** Left out: what the video does not have, because it is not viewable yet. */
export interface VideoLinks {
  /** `…/master[-cmaf][-min-N][-max-N][-img][-codec].m3u8` */
  hls?: string;
  /** `…/master[-min-N][-max-N][-codec].mpd` */
  dash?: string;
  /** The page of the player. */
  player?: string;
}

/**
 * Links to play a video. Only documented manifests are made, `master` with its options: all others are internal and
 * change without notice. Each link has the options that its form knows.
 * Source: `hls_url`, `dash_url` and `iframe_url` of `GET /streaming/videos/{video_id}`.
 *
 * @example
 * videoLinks(video, { max: 480, codec: 'h264' }).hls; // …/master-max-480-h264.m3u8
 * @throws TypeError that names every wrong option, or the URL of a manifest that is not documented.
 */
export function videoLinks(video: LinkedVideo, options: VideoLinkOptions = {}): VideoLinks {
  const parsed = parseInput(linkOptionsSchema, options);
  if (!parsed.ok) throw new TypeError(`Wrong options of a link:\n${formatFaults(parsed.faults)}`);
  const { min, max, codec, cmaf, image } = parsed.value;
  const heights = [min !== undefined && `min-${min}`, max !== undefined && `max-${max}`];
  const hls = manifest(video, 'hls_url', [cmaf && 'cmaf', ...heights, image && 'img', codec]);
  const dash = manifest(video, 'dash_url', [...heights, codec]);
  const player = playerLink(video, parsed.value);
  return { ...(hls && { hls }), ...(dash && { dash }), ...(player && { player }) };
}

const MASTER = { hls_url: 'master.m3u8', dash_url: 'master.mpd' } as const;

function manifest(
  video: LinkedVideo,
  field: keyof typeof MASTER,
  parts: readonly (string | false | undefined)[],
): string | undefined {
  const text = video[field];
  if (text === null || text === undefined || text === '') return undefined;
  const master = MASTER[field];
  const url = toUrl(text, field);
  if (!url.pathname.endsWith(`/${master}`)) {
    throw new TypeError(`${field} is not the documented …/${master}: ${text}`);
  }
  const [name, extension] = master.split('.', 2);
  const file = [name, ...parts.filter((part) => typeof part === 'string')].join('-');
  url.pathname = url.pathname.slice(0, -master.length) + `${file}.${extension ?? ''}`;
  return url.href;
}

function playerLink(
  { iframe_url: text }: LinkedVideo,
  { subtitle, lowLatency }: VideoLinkOptions,
): string | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  const url = toUrl(text, 'iframe_url');
  if (subtitle !== undefined) url.searchParams.set('sub_lang', subtitle);
  if (lowLatency !== false) return url.href;
  // It has no value, and URLSearchParams would write "no_low_latency=".
  url.search = [url.search.slice(1), 'no_low_latency'].filter((part) => part !== '').join('&');
  return url.href;
}

function toUrl(text: string, field: string): URL {
  if (!URL.canParse(text)) throw new TypeError(`${field} is not a URL: ${text}`);
  return new URL(text);
}
