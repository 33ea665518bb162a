import { OPERATIONS } from '../../contract/operations/index.js';
import { replaceInstanceInputSchema as schema } from '../../contract/operations/replace-instance.js';
import type { ReplaceInstanceInput } from '../../contract/operations/types.js';
import { NEW_INSTANCE, Operation, partIdFor } from '../../contract/wire/names.js';
import type { PreparedReplaceInstance } from '../../contract/wire/prepared.js';
import { runOfActivity } from '../../engine/activities/run-of-activity.js';
import { plannedIdOf } from '../../engine/core/names.js';
import type { FirstEvent } from '../../engine/core/prepared-run.js';
import { checkPlacedInput } from './check-input.js';
import { commonDefaults, refusePlaintextSecrets } from './common-defaults.js';
import type { PrepareDeps } from './prepare-deps.js';
import { earlierCutShortThere } from './refuse-moved.js';
import { thisMaker } from './this-run.js';
import { toMarker } from '../../contract/marker.js';

export function createPrepareReplaceInstance(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareReplaceInstance(
      input: unknown,
      first?: FirstEvent,
    ): Promise<PreparedReplaceInstance> {
      const { value, place } = checkPlacedInput<ReplaceInstanceInput>(schema, input, deps);
      const { foundBy } = OPERATIONS.replaceInstance;
      await refusePlaintextSecrets(Operation.replaceInstance, value, deps);
      const run: PreparedReplaceInstance = {
        ...commonDefaults(value, deps),
        ...place,
        onFailure: value.onFailure ?? 'rollback',
        marker: markerOfNew(),
        ...(await earlierCutShortThere(deps, first, { schema, input, place, foundBy })),
        policy: deps.policy,
      };
      if (run.planOnly !== true) return run;
      return { ...run, instance: { ...run, ...(await thisMaker(deps)), waitFor: 'active' } };
    },
  };
}

/** The run that creates the instance has set it. A plan looks for the same instance. */
function markerOfNew(): string {
  const { namespace, workflowId } = runOfActivity();
  return toMarker(namespace, partIdFor(plannedIdOf(workflowId) ?? workflowId, NEW_INSTANCE));
}
