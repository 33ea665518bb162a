import { batchTerms, inlineFaults, labelsOfBatch } from '../../contract/batch-items.js';
import { DEFAULT_AT_ONCE, runBatchInputSchema } from '../../contract/operations/run-batch.js';
import type { RunBatchInput } from '../../contract/operations/types.js';
import { Operation, requestIdOfRun } from '../../contract/wire/names.js';
import type { PreparedRunBatch } from '../../contract/wire/prepared.js';
import { invalidInput } from '../../engine/activities/run-of-activity.js';
import { checkInput } from './check-input.js';
import { commonDefaults, refusePlaintextSecrets } from './common-defaults.js';
import type { PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';

export function createPrepareRunBatch(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path, also those of the items that are in the input. */
    async prepareRunBatch(input: unknown): Promise<PreparedRunBatch> {
      const value = checkInput<RunBatchInput>(runBatchInputSchema, input, deps);
      const { workflowId } = thisRun();
      const terms = batchTerms(value, requestIdOfRun(workflowId) ?? workflowId);
      const faults = inlineFaults(terms, value);
      if (faults.length > 0) throw invalidInput(faults);
      await refusePlaintextSecrets(Operation.runBatch, value, deps);
      const { atOnce, canary, tolerate, onAbort } = value;
      return {
        ...commonDefaults(value, deps),
        // Each item is a request of its own, and decides by itself what it undoes.
        onFailure: 'keep',
        labels: labelsOfBatch(terms),
        terms,
        atOnce: atOnce ?? DEFAULT_AT_ONCE,
        ...(canary !== undefined && { canary }),
        tolerate: tolerate ?? { count: 0 },
        onAbort: onAbort ?? 'leave',
        policy: deps.policy,
      };
    },
  };
}
