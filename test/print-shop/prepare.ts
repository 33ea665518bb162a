/** The local activities: they check an input that any client may send, and add what only the worker knows. */
import { z } from 'zod';

import { invalidInput, runOfActivity } from '../../src/engine/activities/run-of-activity.js';
import { toMaker } from '../../src/engine/core/identity.js';
import { ACCOUNT_NAME, DEFAULT_ACCOUNT } from '../../src/engine/core/names.js';
import type { PreparedSender } from '../../src/engine/core/prepared-run.js';
import type { RunPolicy } from '../../src/engine/core/run-policy.js';
import type { EngineActivities } from '../../src/engine/run/engine-activities.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';

const inputSchema = z.strictObject({
  text: z.string().min(1),
  copies: z.int().min(1).max(1_000),
  account: z.string().regex(ACCOUNT_NAME).default(DEFAULT_ACCOUNT),
});

export type PrintOrderInput = z.input<typeof inputSchema>;

/** Nobody is told about a run here, and no two runs take turns. */
const ENGINE_ACTIVITIES: EngineActivities = {
  receiversOf: () => Promise.resolve({ account: DEFAULT_ACCOUNT }),
  turnCutShortAt: () => Promise.resolve(undefined),
  currentRunId: () => Promise.resolve(runOfActivity().runId),
};

export function createPrepareActivities(policy: RunPolicy) {
  return {
    ...ENGINE_ACTIVITIES,
    /** Fails as `InvalidInput` with every fault by path. */
    preparePrintOrder: (input: unknown): Promise<PreparedSender> => {
      const parsed = parseInput(inputSchema, input);
      if (!parsed.ok) return Promise.reject(invalidInput(parsed.faults));
      const { namespace, workflowId, runId } = runOfActivity();
      return Promise.resolve({
        account: parsed.value.account,
        onFailure: 'rollback',
        onBlocked: 'wait',
        policy,
        // The same for every try and every run of one request.
        marker: `${namespace}/${workflowId}`,
        maker: toMaker(namespace, runId),
      });
    },
  };
}
