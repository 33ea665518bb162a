import { activityInfo } from '@temporalio/activity';

import {
  deleteInstanceInputSchema,
  type DeleteChoice,
  type DeleteInstanceInput,
} from '../../contract/operations/delete-instance.js';
import type {
  DeleteTarget,
  PreparedDeleteInstance,
} from '../../contract/prepared/delete-instance.js';
import { checkPlacedInput } from './check-input.js';
import { commonDefaults } from './common-defaults.js';
import type { PrepareDeps } from './prepare-deps.js';
import { toMarker } from './to-marker.js';

export function createPrepareDeleteInstance(deps: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    prepareDeleteInstance(input: unknown): Promise<PreparedDeleteInstance> {
      const { value, place } = checkPlacedInput<DeleteInstanceInput>(
        deleteInstanceInputSchema,
        input,
        deps.defaults,
      );
      const { volumes, floatingIps } = value;
      return Promise.resolve({
        ...commonDefaults(value),
        ...place,
        target: targetOf(value),
        volumes: inOneForm(volumes),
        floatingIps: inOneForm(floatingIps),
        policy: deps.policy,
      });
    },
  };
}

function targetOf({ instanceId, madeBy = '' }: DeleteInstanceInput): DeleteTarget {
  if (instanceId !== undefined) return { instanceId: instanceId.toLowerCase() };
  return { madeBy, marker: toMarker(activityInfo().namespace, madeBy) };
}

/** Ids as the API writes them, each once. */
function inOneForm(choice: DeleteChoice): DeleteChoice {
  return Array.isArray(choice) ? [...new Set(choice.map((id) => id.toLowerCase()))] : choice;
}
