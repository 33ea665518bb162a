import { z } from 'zod';

const text = (description: string) => z.string().optional().describe(description);
const number = (description: string) => z.number().optional().describe(description);

const qualitySchema = z.object({
  name: text('such as vod720n'),
  width: number('in pixels; missing for sound alone'),
  height: number('in pixels; missing for sound alone'),
  size: number('in bytes'),
  progress: number('0 to 100'),
  status: text('processing, complete or error'),
  mp4_url: text('the file of this quality'),
});

/**
 * What the API says about a video. A field is missing when the video does not have it (a video that cannot be watched
 * yet has no links), when `fields` does not name it, when its text is too long for a history, or when a link looks as
 * if it held a password or a token.
 * Source: OpenAPI `videoListItem`, `videoDetails`.
 */
export const videoDetailsSchema = z.object({
  id: z.number().int().describe('of the video'),
  name: text('its title'),
  slug: text('what names it in public links, /videos/{client_id}_{slug}/…'),
  client_id: number('id of the customer at the streaming platform'),
  status: text('new, empty, pending, viewable, ready, error, or one that is not documented'),
  duration: number('in milliseconds, after clipping'),
  created_at: text('when it was made'),
  updated_at: text('when it was last changed'),
  priority: number('of its processing, from -10 to 10'),
  projection: text('its form: regular, vr360, vr180 or vr360tb'),
  ad_id: number('id of its advertisement; missing: the default one'),
  stream_id: number('id of the stream that it was saved from'),
  hls_url: text('HLS, master.m3u8'),
  hls_cmaf_url: text('HLS with CMAF chunks, master-cmaf.m3u8'),
  dash_url: text('MPEG-DASH, master.mpd'),
  iframe_url: text('page of the player; only the answer of the call that makes the video has it'),
  poster: text('the own poster, at the host of the generated pictures'),
  screenshot: text('the picture that is shown before it plays'),
  screenshots: z.array(z.string()).optional().describe('generated pictures, 5 by default'),
  converted_videos: z.array(qualitySchema).optional().describe('its qualities'),
});
export type VideoDetails = z.infer<typeof videoDetailsSchema>;
