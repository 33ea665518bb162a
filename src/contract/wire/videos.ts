/** What an import says about videos, free of zod. */

/** What an import can wait for, the least first. */
export const IMPORTED_STATES = ['created', 'viewable', 'ready', 'qualities'] as const;
export type ImportedState = (typeof IMPORTED_STATES)[number];

/** The fields of a video that a report can have, as the API names them. Source: OpenAPI `videoListItem`, `videoDetails`. */
export const VIDEO_FIELDS = [
  'name',
  'slug',
  'client_id',
  'status',
  'duration',
  'created_at',
  'updated_at',
  'priority',
  'projection',
  'ad_id',
  'stream_id',
  'hls_url',
  'hls_cmaf_url',
  'dash_url',
  'iframe_url',
  'poster',
  'screenshot',
  'screenshots',
  'converted_videos',
] as const;
export type VideoField = (typeof VIDEO_FIELDS)[number];

export const DEFAULT_VIDEO_FIELDS = [
  'slug',
  'client_id',
  'status',
  'duration',
  'hls_url',
  'dash_url',
  'iframe_url',
  'poster',
  'screenshots',
] as const satisfies readonly VideoField[];

/** What is known or final only with the outcome of a video: the answer that makes it says nothing lasting about it. */
export const CHANGING_FIELDS: ReadonlySet<VideoField> = new Set([
  'status',
  'updated_at',
  'duration',
  'hls_url',
  'hls_cmaf_url',
  'dash_url',
  'poster',
  'screenshot',
  'screenshots',
  'converted_videos',
]);

const NUMBER_BYTES = 16;
const TIME_BYTES = 40;
const LINK_BYTES = 180;

/** What is longer as JSON is left out: a history has to keep it, and a part of a link is another link. */
export const MOST_FIELD_BYTES = {
  name: 300,
  slug: 66,
  client_id: NUMBER_BYTES,
  status: 34,
  duration: NUMBER_BYTES,
  created_at: TIME_BYTES,
  updated_at: TIME_BYTES,
  priority: NUMBER_BYTES,
  projection: 34,
  ad_id: NUMBER_BYTES,
  stream_id: NUMBER_BYTES,
  hls_url: LINK_BYTES,
  hls_cmaf_url: LINK_BYTES,
  dash_url: LINK_BYTES,
  iframe_url: LINK_BYTES,
  poster: LINK_BYTES,
  screenshot: LINK_BYTES,
  // Five by default.
  screenshots: 5 * LINK_BYTES,
  converted_videos: 3_000,
} as const satisfies Record<VideoField, number>;

/** `{"id":9007199254740991}` and a comma. */
const ID_BYTES = 25;
/** `"":` and a comma, around the name of a field. */
const NAME_BYTES = 4;

/** The most bytes of the details of one video, as an element of a JSON array. */
export function mostDetailBytes(fields: readonly VideoField[]): number {
  return fields.reduce(
    (sum, field) => sum + MOST_FIELD_BYTES[field] + field.length + NAME_BYTES,
    ID_BYTES,
  );
}

/** The result of an import has the details of so many videos; the query `report` has more. */
export const MOST_DETAILS_IN_RESULT = 100;

/** The ids are part of the URL, which has room for about 8,000 characters. */
const MOST_IDS_IN_ONE_READ = 500;
/** Room for the details in the result of a run, which Temporal stores as one payload. */
const MOST_BYTES_IN_ONE_READ = 1_000_000;

/** How many videos `listVideos` can be asked for: their details always fit into its result, whatever the API says. */
export function mostVideosInOneRead(fields: readonly VideoField[]): number {
  const each = mostDetailBytes([...new Set(fields)]);
  return Math.min(MOST_IDS_IN_ONE_READ, Math.floor(MOST_BYTES_IN_ONE_READ / each));
}
