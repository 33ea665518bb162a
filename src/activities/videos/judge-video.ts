import type { Video } from '../../contract/api/streaming.js';
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

export type AwaitedState = 'viewable' | 'ready';

export type VideoVerdict =
  | { kind: 'pending' }
  /** `warning`: it reached the awaited state, but has an error. */
  | { kind: 'done'; warning?: string }
  | { kind: 'failed'; text: string };

/** Statuses in which a video can be watched. */
const VIEWABLE: ReadonlySet<string> = new Set(['viewable', 'ready']);

/**
 * The outcome of a video. A failure is not always a status: a failed fetch stays `empty` with an
 * `error`, and a video without enough storage stays `viewable` with an `error` and never becomes
 * `ready` (guide on the states of a video). An unknown status counts as not done yet.
 */
export function judgeVideo(
  video: Pick<Video, 'status' | 'error'>,
  awaited: AwaitedState,
): VideoVerdict {
  const { status } = video;
  const error = video.error ?? '';
  if (status === 'error') return { kind: 'failed', text: error === '' ? 'no reason given' : error };
  if (status === 'empty' && error !== '') return { kind: 'failed', text: error };
  if (status === 'viewable' && awaited === 'ready') {
    return error === '' ? { kind: 'pending' } : { kind: 'failed', text: error };
  }
  if (typeof status !== 'string' || !VIEWABLE.has(status)) return { kind: 'pending' };
  return { kind: 'done', ...(error === '' ? {} : { warning: error }) };
}
