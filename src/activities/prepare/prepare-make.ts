import type { z } from 'zod';

import type { Described } from '../../contract/operations/define-operation.js';
import type { PreparedMaker } from '../../contract/wire/prepared.js';
import type { FirstEvent } from '../../engine/core/prepared-run.js';
import { checkPlacedInput } from './check-input.js';
import { commonDefaults, type CommonInput } from './common-defaults.js';
import type { PrepareDeps } from './prepare-deps.js';
import { earlierCutShortThere } from './refuse-moved.js';
import { thisMaker, thisRun } from './this-run.js';

export interface MakeInput extends CommonInput {
  onFailure?: PreparedMaker['onFailure'] | undefined;
}

/** Prepares an operation that makes one thing in one step: its input says all that is particular. */
export function createPrepareMake<I extends MakeInput>(
  { schema, foundBy = [] }: { schema: z.ZodType<I> } & Pick<Described<unknown, unknown>, 'foundBy'>,
  deps: PrepareDeps,
) {
  /** Fails as `InvalidInput` with every fault by path. */
  return async (input: unknown, first?: FirstEvent): Promise<PreparedMaker> => {
    const { value, place } = checkPlacedInput(schema, input, deps);
    return {
      ...commonDefaults(value, deps),
      onFailure: value.onFailure ?? 'rollback',
      ...place,
      ...(await earlierCutShortThere(deps, first, { schema, input, place, foundBy })),
      marker: thisRun().marker,
      ...(await thisMaker(deps)),
      policy: deps.policy,
    };
  };
}
