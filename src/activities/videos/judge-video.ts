import type { Video } from '../../contract/api/streaming.js';
import type { ImportedState } from '../../contract/wire/videos.js';
import { cutText } from '../../engine/core/text.js';
import { redact } from '../../engine/http/secrets.js';

/** Why a video failed, by what a person should do. `class` of a failed item. */
export const ItemFailure = {
  originForbidden: 'origin-forbidden',
  originNotFound: 'origin-not-found',
  /** The source closed the connection, was too slow, or sent too little: try again. */
  originConnection: 'origin-connection',
  badFile: 'bad-file',
  encoding: 'encoding',
  storageLimit: 'storage-limit',
  /** An unknown text. */
  other: 'other',
} as const;
export type ItemFailure = (typeof ItemFailure)[keyof typeof ItemFailure];

/** The texts that the guide on the states of a video names. */
const TEXTS: readonly (readonly [RegExp, ItemFailure])[] = [
  [/forbidden/i, ItemFailure.originForbidden],
  [/not found/i, ItemFailure.originNotFound],
  [/reset by peer|network timeout|incomplete/i, ItemFailure.originConnection],
  [/storage limit/i, ItemFailure.storageLimit],
  [/unable to (?:analy[sz]e|validate)|is invalid/i, ItemFailure.badFile],
  [/encoding/i, ItemFailure.encoding],
];

export function classifyVideoError(text: string): ItemFailure {
  return TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? ItemFailure.other;
}

/** The texts that the guide on the states of a video names. */
const KNOWN_TEXTS = [
  'Encoding has failed',
  'Unable to analyze the origin file',
  'Unable to validate video file',
  'Video file is invalid',
  'The storage limit has been exceeded',
  'Access to the origin is forbidden',
  'Connection reset by peer',
  'Network timeout occurred',
  'The downloaded file is incomplete',
  'The requested origin was not found',
  'no reason given',
] as const;

const MAX_TEXT_BYTES = 200;
const WITHHELD_VIDEO_ERROR =
  'The text is withheld, because it may repeat credentials of the manifest: read "error" of the video at the API';

/**
 * The error text of a video as it leaves the activity. It may repeat the credentials of its source, and
 * those of a manifest are unknown here: then only a text of the guide leaves, without what follows it.
 */
export function shownVideoError(text: string, { isInline }: { isInline: boolean }): string {
  const known = KNOWN_TEXTS.find((candidate) => text.includes(candidate));
  if (text === known || !isInline) return known ?? WITHHELD_VIDEO_ERROR;
  return cutText(redact(text, []), MAX_TEXT_BYTES);
}

export type AwaitedState = Exclude<ImportedState, 'created'>;

export type VideoVerdict =
  /** `lacks`: the field without which nobody can tell whether it is. */
  | { kind: 'pending'; lacks?: string }
  /** `warning`: it reached the awaited state, but has an error. */
  | { kind: 'done'; warning?: string }
  | { kind: 'failed'; text: string };

/** What a verdict rests on. */
export type JudgedVideo = Pick<Video, 'status' | 'error'> &
  Partial<Pick<Video, 'converted_videos'>>;

const NO_REASON = 'no reason given';

/**
 * The outcome of a video. A failure is not always a status: a failed fetch stays `empty` with an
 * `error`, and a video without enough storage stays `viewable` with an `error` and never becomes
 * `ready` (guide on the states of a video). An unknown status counts as not done yet; so does `new`, of a
 * recording of a stream whose file is not there yet.
 */
export function judgeVideo(video: JudgedVideo, awaited: AwaitedState): VideoVerdict {
  const { status, error } = video;
  const failed = failureOf(video, awaited);
  if (failed !== undefined) return { kind: 'failed', text: failed };
  const isAwaited = status === 'ready' || (status === 'viewable' && awaited === 'viewable');
  if (typeof status !== 'string') return { kind: 'pending', lacks: '[].status' };
  if (!isAwaited) return { kind: 'pending' };
  const against = awaited === 'qualities' ? judgeQualities(video) : undefined;
  return against ?? { kind: 'done', ...(isText(error) && { warning: error }) };
}

function failureOf({ status, error }: JudgedVideo, awaited: AwaitedState): string | undefined {
  if (status === 'error') return isText(error) ? error : NO_REASON;
  const isStuck = status === 'empty' || (status === 'viewable' && awaited !== 'viewable');
  return isStuck && isText(error) ? error : undefined;
}

function isText(text: string | null | undefined): text is string {
  return typeof text === 'string' && text !== '';
}

/**
 * What the qualities of a `ready` video say against it. `ready` promises all of them; here each has to prove it.
 * Nothing is proven by a list without one, and a failed quality counts when no other is still in the making.
 */
function judgeQualities({
  error,
  converted_videos: qualities,
}: JudgedVideo): VideoVerdict | undefined {
  if (!qualities) return { kind: 'pending', lacks: '[].converted_videos' };
  if (qualities.some(({ status }) => typeof status !== 'string'))
    return { kind: 'pending', lacks: '[].converted_videos[].status' };
  const isOver = qualities.every(({ status }) => status === 'complete' || status === 'error');
  if (qualities.length === 0 || !isOver) return { kind: 'pending' };
  const failed = qualities.find(({ status }) => status === 'error');
  if (failed === undefined) return undefined;
  const [text = NO_REASON] = [failed.error, error].filter(isText);
  return { kind: 'failed', text };
}
