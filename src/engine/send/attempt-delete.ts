import type { StartedRemoval } from '../core/tasks.js';
import { parkWhileBlocked } from '../run/park-while-blocked.js';
import type { Run } from '../run/run-types.js';
import { attemptOnce, type Sending } from './attempt-once.js';

/** What one attempt of a delete has come to. */
export interface TriedRemoval extends StartedRemoval {
  /** Why the API has not answered it: it may not even have been sent. A look shows what came of it. */
  unanswered?: string;
}

/**
 * Sends a delete once, after a look that has shown whose the resource is: somebody may move it to another machine, or
 * pause the run, before a repeat. The caller looks again. The run blocks on problems that need a person.
 */
export function attemptDelete(run: Run, sending: Sending<StartedRemoval>): Promise<TriedRemoval> {
  return parkWhileBlocked(run, async () => {
    const attempt = await attemptOnce(run, sending);
    if (attempt.kind === 'answered') return attempt.answer;
    if (attempt.kind === 'rejected') throw attempt.error;
    if (attempt.kind === 'unknown' && attempt.defect !== undefined) throw attempt.defect;
    return { taskIds: [], unanswered: attempt.reason };
  });
}
