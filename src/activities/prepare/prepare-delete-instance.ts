import { activityInfo } from '@temporalio/activity';

import {
  deleteInstanceInputSchema,
  type DeleteChoice,
} from '../../contract/operations/delete-instance.js';
import type { DeleteInstanceInput } from '../../contract/operations/types.js';
import type { DeleteTarget, PreparedDeleteInstance } from '../../contract/wire/prepared.js';
import { checkPlacedInput } from './check-input.js';
import { commonDefaults } from './common-defaults.js';
import type { PrepareDeps } from './prepare-deps.js';
import { toMarker } from './this-run.js';

export function createPrepareDeleteInstance(deps: PrepareDeps) {
  return {
    /** Checks the input and adds the defaults. Fails as `InvalidInput` with the path of every fault. */
    async prepareDeleteInstance(input: unknown): Promise<PreparedDeleteInstance> {
      const { value, place } = checkPlacedInput<DeleteInstanceInput>(
        deleteInstanceInputSchema,
        input,
        deps,
      );
      const { volumes, floatingIps, unlessFloatingIpId: guard } = value;
      return {
        ...commonDefaults(value, deps),
        ...place,
        target: await targetOf(value, deps),
        volumes: normalizeIds(volumes),
        floatingIps: normalizeIds(floatingIps),
        ...(guard === undefined ? {} : { unlessFloatingIpId: guard.toLowerCase() }),
        policy: deps.policy,
      };
    },
  };
}

async function targetOf(
  { instanceId, madeBy = '' }: DeleteInstanceInput,
  { namespaceId }: PrepareDeps,
): Promise<DeleteTarget> {
  if (instanceId !== undefined) return { instanceId: instanceId.toLowerCase() };
  const marker = toMarker(activityInfo().namespace, madeBy);
  return { madeBy, marker, namespaceId: await namespaceId() };
}

/** Returns ids in lower case, as the API writes them, without duplicates. */
function normalizeIds(choice: DeleteChoice): DeleteChoice {
  return Array.isArray(choice) ? [...new Set(choice.map((id) => id.toLowerCase()))] : choice;
}
