import {
  provisionInstanceInputSchema,
  type ProvisionInstanceInput,
} from '../../contract/operations/provision-instance.js';
import { checkPlacedInput, earlierCutShort, type FirstEvent } from './check-input.js';
import { commonDefaults } from './common-defaults.js';
import type { PreparedProvisionInstance } from '../../contract/prepared/provision-instance.js';
import type { PrepareDeps } from './prepare-deps.js';
import { thisMaker, thisRun } from './this-run.js';

export function createPrepareProvisionInstance(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareProvisionInstance(
      input: unknown,
      first?: FirstEvent,
    ): Promise<PreparedProvisionInstance> {
      const { value, place } = checkPlacedInput<ProvisionInstanceInput>(
        provisionInstanceInputSchema,
        input,
        deps,
      );
      return {
        ...withDefaults(value, deps),
        ...place,
        ...(await earlierCutShort(deps, { first })),
        marker: thisRun().marker,
        ...(await thisMaker(deps)),
        policy: deps.policy,
      };
    },
  };
}

function withDefaults(input: ProvisionInstanceInput, deps: PrepareDeps) {
  const { onFailure, waitFor, alternatives, protect, replaceBroken } = input;
  return {
    ...commonDefaults(input, deps),
    onFailure: onFailure ?? 'rollback',
    waitFor: waitFor ?? 'active',
    ...(alternatives === undefined ? {} : { alternatives }),
    ...(protect === undefined ? {} : { protect }),
    ...(replaceBroken === true && { replaceBroken }),
  };
}
