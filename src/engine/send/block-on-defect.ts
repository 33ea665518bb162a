import type { ApplicationFailure } from '@temporalio/workflow';

import { parkWhileBlocked } from '../run/park-while-blocked.js';
import type { Run } from '../run/run-types.js';
import type { Unanswered } from './classify-attempt.js';

/** Blocks the run before it repeats a call that has met a defect of the worker: it would meet it again. */
export function createDefectBlock(run: Run) {
  const met: ApplicationFailure[] = [];
  return {
    note(attempt: Unanswered): void {
      if (attempt.kind === 'unknown' && attempt.defect !== undefined) met.push(attempt.defect);
    },
    /** Whether the run was blocked: then what it has seen is old. */
    async hasBlocked(): Promise<boolean> {
      if (met.length === 0) return false;
      await parkWhileBlocked(run, async () => {
        const defect = met.pop();
        if (defect !== undefined) return Promise.reject(defect);
      });
      return true;
    },
  };
}

export type DefectBlock = ReturnType<typeof createDefectBlock>;
