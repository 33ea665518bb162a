import type { Video } from '../../contract/api/video.js';

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
