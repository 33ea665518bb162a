import type { Video } from '../../contract/api/video.js';

export type AwaitedState = 'viewable' | 'ready';

export type VideoVerdict =
  | { kind: 'pending' }
  /** `warning`: it has what was asked for, and an error all the same. */
  | { kind: 'done'; warning?: string }
  | { kind: 'failed'; text: string };

/** Statuses in which a video can be watched. */
const VIEWABLE: ReadonlySet<string> = new Set(['viewable', 'ready']);

/**
 * What a video has come to. A failure hides: a fetch that failed stays `empty` with an `error`, and
 * one that ran out of storage stays `viewable` with one and never becomes `ready` (guide on the
 * states of a video). An unknown status means that it is not done yet.
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
