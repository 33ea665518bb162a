import { hasCredentials, isSigned, type Video } from '../../contract/api/streaming.js';
import { videoDetailsSchema, type VideoDetails } from '../../contract/video-details.js';
import { MOST_FIELD_BYTES, type VideoField } from '../../contract/wire/videos.js';
import { firstThatFit, jsonByteLength } from '../../engine/core/text.js';

/** Together with ids and outcomes this fits into one payload. */
const MAX_BYTES = 1_000_000;

/** What a run keeps of these videos: no more than a history can hold, whatever the API says. */
export function toDetails(
  videos: readonly Video[],
  fields: readonly VideoField[],
): { details?: VideoDetails[] } {
  const details = firstThatFit(
    videos.map((video) => detailsOf(video, fields)),
    MAX_BYTES,
  );
  return details.length > 0 ? { details } : {};
}

/** What the API says of a video: at most `mostDetailBytes` of these fields. */
export function detailsOf(video: Video, fields: readonly VideoField[]): VideoDetails {
  const known = fields.flatMap((field) => {
    const value = shown(video, field);
    return value === undefined ? [] : [[field, value] as const];
  });
  return videoDetailsSchema.parse({ id: video.id, ...Object.fromEntries(known) });
}

function shown(video: Video, field: VideoField): unknown {
  const most = MOST_FIELD_BYTES[field];
  if (field === 'screenshots') return firstOf(screenshotsOf(video), most);
  if (field === 'converted_videos') return firstOf(qualitiesOf(video), most);
  const value = video[field] ?? '';
  if (value === '' || jsonByteLength(value) > most) return undefined;
  if (typeof value === 'number') return value;
  return isSound(video, field, value) ? value : undefined;
}

/** What the API makes up or chooses itself. */
const WORDS: ReadonlySet<VideoField> = new Set(['slug', 'status', 'projection']);

function isSound(video: Video, field: VideoField, text: string): boolean {
  if (field.endsWith('_url')) return isShownLink(text);
  if (field === 'poster' || field === 'screenshot') {
    return isShownLink(text) && isStored(video, text);
  }
  return !WORDS.has(field) || /^[\w-]+$/.test(text);
}

function firstOf(all: readonly unknown[], most: number): unknown[] | undefined {
  // One of the two brackets; a comma is counted with each element.
  const fitting = firstThatFit(all, most - 1);
  return fitting.length === 0 ? undefined : fitting;
}

/**
 * Whether a picture lies where the platform keeps those that it has generated. An own poster may be shown by the address
 * where the platform has fetched it, and that may be a secret as a whole.
 */
function isStored({ screenshots }: Video, picture: string): boolean {
  const host = hostOf(picture);
  return host !== undefined && (screenshots ?? []).some((generated) => hostOf(generated) === host);
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

function screenshotsOf({ screenshots }: Video): string[] {
  return (screenshots ?? []).filter(isShownLink);
}

/** Their error texts stay out: they may repeat the credentials of the source. */
function qualitiesOf({ converted_videos: qualities }: Video): object[] {
  return (qualities ?? []).map((quality) =>
    Object.fromEntries(
      Object.entries(quality).filter(
        ([name, value]) =>
          name !== 'error' && value !== null && (name !== 'mp4_url' || isShownLink(String(value))),
      ),
    ),
  );
}

/** A link of a page, without a password and a token. */
function isShownLink(text: string): boolean {
  const isPage = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  return isPage && !hasCredentials(text) && !isSigned(text);
}
