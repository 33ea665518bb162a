import { ApplicationFailure } from '@temporalio/activity';
import type { z } from 'zod';

import type { FirstEvent, PreparedChange } from '../../engine/core/prepared-run.js';
import { checkInput, checkPlacedInput, earlierCutShort, resetSince } from './check-input.js';
import { commonDefaults, type CommonInput } from './common-defaults.js';
import type { PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';

/**
 * Prepares an operation that is one step: its input says all that is particular. Without `isPlaced` the operation is in
 * no project and region.
 */
export function createPrepareChange<I extends CommonInput>(
  { schema, isPlaced }: { schema: z.ZodType<I>; isPlaced: boolean },
  deps: PrepareDeps,
) {
  /** Fails as `InvalidInput` with every fault by path. */
  return async (input: unknown, first?: FirstEvent): Promise<PreparedChange> => {
    const { value, place } = isPlaced
      ? checkPlacedInput(schema, input, deps)
      : { value: checkInput(schema, input, deps), place: {} };
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
): Promise<Pick<PreparedChange, 'cutShortAt' | 'since'>> {
  const cutShort = await earlierCutShort(deps, first);
  if (cutShort.cutShortAt === undefined) return {};
  const earlier = await deps.earlierRuns?.(thisRun().workflowId, first?.ranBefore);
  if (earlier?.digests === 'unknown') {
    // A local activity is repeated until the server can list them.
    throw ApplicationFailure.retryable('the Temporal server cannot list the earlier runs now');
  }
  const times = [earlier?.since, resetSince(first)].filter((time) => time !== undefined);
  return { ...cutShort, ...(times.length > 0 && { since: Math.min(...times) }) };
}
