import { ApplicationFailure } from '@temporalio/activity';
import type { z } from 'zod';

import type { Described } from '../../contract/operations/define-operation.js';
import type { FirstEvent, PreparedChange } from '../../engine/core/prepared-run.js';
import { checkInput, checkPlacedInput, resetSince } from './check-input.js';
import { commonDefaults, type CommonInput } from './common-defaults.js';
import type { PrepareDeps } from './prepare-deps.js';
import { earlierCutShortThere, type Wanted } from './refuse-moved.js';
import { thisRun } from './this-run.js';

interface StatedInput<I> extends Pick<Described<unknown, unknown>, 'foundBy'> {
  schema: z.ZodType<I>;
  isPlaced: boolean;
}

/**
 * Prepares an operation that is one step: its input says all that is particular. Without `isPlaced` the operation is in
 * no project and region.
 */
export function createPrepareChange<I extends CommonInput>(
  { schema, isPlaced, foundBy }: StatedInput<I>,
  deps: PrepareDeps,
) {
  /** Fails as `InvalidInput` with every fault by path. */
  return async (input: unknown, first?: FirstEvent): Promise<PreparedChange> => {
    const { value, place } = isPlaced
      ? checkPlacedInput(schema, input, deps)
      : { value: checkInput(schema, input, deps), place: undefined };
    // In another place, what is to go looks gone.
    const placed = place && ({ place, deed: 'changed' } as const);
    return {
      ...commonDefaults(value, deps),
      ...place,
      ...(await earlierCalls(deps, first, { schema, input, foundBy, ...placed })),
      policy: deps.policy,
    };
  };
}

/** When earlier runs of this request may have sent its call, where one of them was cut short. */
async function earlierCalls(
  deps: PrepareDeps,
  first: FirstEvent | undefined,
  wanted: Wanted,
): Promise<Pick<PreparedChange, 'cutShortAt' | 'since'>> {
  const cutShort = await earlierCutShortThere(deps, first, wanted);
  if (cutShort.cutShortAt === undefined) return {};
  const earlier = await deps.earlierRuns?.(thisRun().workflowId, first?.ranBefore);
  if (earlier?.digests === 'unknown') {
    // A local activity is repeated until the server can list them.
    throw ApplicationFailure.retryable('the Temporal server cannot list the earlier runs now');
  }
  const times = [earlier?.since, resetSince(first)].filter((time) => time !== undefined);
  return { ...cutShort, ...(times.length > 0 && { since: Math.min(...times) }) };
}
