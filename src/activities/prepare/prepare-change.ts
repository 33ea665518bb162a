import { ApplicationFailure } from '@temporalio/activity';
import type { z } from 'zod';

import type { PreparedPlacedChange } from '../../contract/wire/prepared.js';
import type { FirstEvent } from '../../engine/core/prepared-run.js';
import { checkPlacedInput, earlierCutShort, resetSince } from './check-input.js';
import { commonDefaults, type CommonInput } from './common-defaults.js';
import type { PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';

/** Prepares an operation that is one step: its input says all that is particular. */
export function createPrepareChange<I extends CommonInput>(
  schema: z.ZodType<I>,
  deps: PrepareDeps,
) {
  /** Fails as `InvalidInput` with every fault by path. */
  return async (input: unknown, first?: FirstEvent): Promise<PreparedPlacedChange> => {
    const { value, place } = checkPlacedInput(schema, input, deps);
    return {
      ...commonDefaults(value, deps),
      ...place,
      ...(await earlierCalls(deps, first)),
      policy: deps.policy,
    };
  };
}

/** When earlier runs of this request may have sent its call, where one of them was cut short. */
async function earlierCalls(
  deps: PrepareDeps,
  first: FirstEvent | undefined,
): Promise<Pick<PreparedPlacedChange, 'cutShortAt' | 'since'>> {
  const cutShort = await earlierCutShort(deps, first);
  if (cutShort.cutShortAt === undefined) return {};
  const earlier = await deps.earlierRuns?.(thisRun().workflowId);
  if (earlier?.digests === 'unknown') {
    // A local activity is repeated until the server can list them.
    throw ApplicationFailure.retryable('the Temporal server cannot list the earlier runs now');
  }
  const times = [earlier?.since, resetSince(first)].filter((time) => time !== undefined);
  return { ...cutShort, ...(times.length > 0 && { since: Math.min(...times) }) };
}
