import type { FC } from 'hono/jsx';

import { formatDuration } from '../../client/format-duration.js';
import type { StepStatus, Waiting } from '../../engine/schema/status-document.js';

/** How far something is. */
export interface Progress {
  done: number;
  of: number;
  /** What is counted, such as `videos`; seconds of a usual wait have no name. */
  what?: string | undefined;
  /** Milliseconds that are left at the pace so far. */
  leftMs?: number | undefined;
}

export const ProgressLine: FC<{ progress: Progress; label: string }> = ({ progress, label }) => {
  const { done, of, what, leftMs } = progress;
  return (
    <div class="progress">
      <progress value={Math.min(done, of)} max={of} aria-label={label}></progress>
      <span>
        {what !== undefined && `${done} of ${of} ${what}`}
        {what !== undefined && leftMs !== undefined && ', '}
        {leftMs !== undefined &&
          (leftMs > 0 ? `about ${formatDuration(leftMs)} left` : 'longer than usual')}
      </span>
    </div>
  );
};

/** Beginning of the note of a step: `3 of 7 chunks written`, `120 of 400 keys read`. */
const COUNTED = /^(\d{1,9}) of (\d{1,9}) (\p{L}+)/u;

/** How far the open steps are: by what they have counted, else by what is usual for the wait. */
export function progressOf(
  { steps, waiting }: { steps: readonly StepStatus[]; waiting?: Waiting | undefined },
  now: number,
): Progress | undefined {
  const open = steps.filter(({ startedAt, endedAt }) => startedAt && !endedAt);
  const counted = open.flatMap((step) => countedBy(step, now));
  return counted[0] ?? (waiting && usualWait(waiting, now));
}

function countedBy({ note, startedAt = '' }: StepStatus, now: number): Progress[] {
  const [, done, of, what] = COUNTED.exec(note ?? '') ?? [];
  if (done === undefined || of === undefined || Number(of) === 0) return [];
  const counts = { done: Number(done), of: Number(of) };
  return [{ ...counts, what, leftMs: leftAt(counts, now - Date.parse(startedAt)) }];
}

/** At the pace so far. Nobody knows before something is done. */
export function leftAt(
  { done, of }: { done: number; of: number },
  elapsedMs: number,
): number | undefined {
  if (done <= 0 || done >= of || elapsedMs <= 0) return undefined;
  return (elapsedMs / done) * (of - done);
}

function usualWait({ since, typicalSeconds }: Waiting, now: number): Progress | undefined {
  if (typicalSeconds === undefined || typicalSeconds <= 0) return undefined;
  const elapsedMs = now - Date.parse(since);
  const usualMs = typicalSeconds * 1_000;
  return { done: Math.max(0, elapsedMs), of: usualMs, leftMs: usualMs - elapsedMs };
}
