import { Operation } from '../../contract/wire/names.js';
import { provisionInstanceInputSchema as schema } from '../../contract/operations/provision-instance.js';
import type { ProvisionInstanceInput } from '../../contract/operations/types.js';
import { checkPlacedInput } from './check-input.js';
import type { FirstEvent } from '../../engine/core/prepared-run.js';
import { commonDefaults, refusePlaintextSecrets } from './common-defaults.js';
import type { PreparedProvisionInstance } from '../../contract/wire/prepared.js';
import type { PrepareDeps } from './prepare-deps.js';
import { earlierCutShortThere } from './refuse-moved.js';
import { thisMaker, thisRun } from './this-run.js';

export function createPrepareProvisionInstance(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareProvisionInstance(
      input: unknown,
      first?: FirstEvent,
    ): Promise<PreparedProvisionInstance> {
      const { value, place } = checkPlacedInput<ProvisionInstanceInput>(schema, input, deps);
      const [cutShort] = await Promise.all([
        earlierCutShortThere(deps, first, { schema, input, place, otherRegions }),
        refusePlaintextSecrets(Operation.provisionInstance, value, deps),
      ]);
      return {
        ...withDefaults(value, deps),
        ...place,
        ...cutShort,
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

/** Of the alternatives. An input that this version refuses has none that it knows. */
function otherRegions(input: unknown): number[] {
  const { data } = schema.safeParse(input);
  return (data?.alternatives ?? []).flatMap(({ regionId }) => regionId ?? []);
}
