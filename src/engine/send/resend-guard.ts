import type { Run } from '../run/run-types.js';
import type { NotSent, UnknownOutcome } from './classify-attempt.js';
import type { Settled } from './verdict.js';

/**
 * Keeps a call that the API has accepted from being sent again while nothing of it shows: it may still
 * take effect. Looking again proves no more, so only a person who resumes the blocked run decides it.
 * And blocks the run once before it repeats a call that has met a defect of the worker: it would meet it again.
 */
export function createResendGuard(
  { controls }: Pick<Run, 'controls'>,
  attempt: NotSent | UnknownOutcome,
): <T>(verdict: Settled<T>) => Settled<T> {
  const isAccepted = attempt.kind === 'unknown' && attempt.isAccepted === true;
  let defect = attempt.kind === 'unknown' ? attempt.defect : undefined;
  /** Counted when the run blocks: a `resume` before that was not meant for it. */
  let resumesBefore: number | undefined;
  return (verdict) => {
    if (verdict.kind !== 'absent') return verdict;
    if (defect !== undefined) {
      const met = defect;
      defect = undefined;
      throw met;
    }
    if (!isAccepted) return verdict;
    resumesBefore ??= controls.resumes();
    return controls.resumes() > resumesBefore ? verdict : UNSEEN;
  };
}

const UNSEEN = {
  kind: 'contradiction',
  note: 'The API accepted the call without naming a task, and nothing of it shows after the grace time.',
  advice:
    'Look at what exists. By itself the run only looks again; `resume` sends the call again if ' +
    'nothing shows then, and `abort` ends the run.',
} as const;
