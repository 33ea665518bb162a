import { activityInfo } from '@temporalio/activity';

import {
  deleteInstanceInputSchema as schema,
  type DeleteChoice,
} from '../../contract/operations/delete-instance.js';
import type { DeleteInstanceInput } from '../../contract/operations/types.js';
import { Operation, type Place } from '../../contract/wire/names.js';
import type { DeleteTarget, PreparedDeleteInstance } from '../../contract/wire/prepared.js';
import { DEFAULT_ACCOUNT } from '../../engine/core/names.js';
import type { FirstEvent } from '../../engine/core/prepared-run.js';
import { invalidInput } from '../../engine/activities/run-of-activity.js';
import { checkPlacedInput } from './check-input.js';
import { commonDefaults } from './common-defaults.js';
import type { MadeAt, MakerRun, PrepareDeps } from './prepare-deps.js';
import { earlierCutShortThere } from './refuse-moved.js';
import { toMarker } from '../../contract/marker.js';

export function createPrepareDeleteInstance(deps: PrepareDeps) {
  return {
    /** Checks the input and adds the defaults. Fails as `InvalidInput` with the path of every fault. */
    async prepareDeleteInstance(
      input: unknown,
      first?: FirstEvent,
    ): Promise<PreparedDeleteInstance> {
      const { value, place } = checkPlacedInput<DeleteInstanceInput>(schema, input, deps);
      const { volumes, floatingIps, unlessFloatingIpId: guard, unlessSnapshots } = value;
      return {
        ...commonDefaults(value, deps),
        ...place,
        target: await targetOf({ ...value, ...place }, deps),
        volumes: normalizeIds(volumes),
        floatingIps: normalizeIds(floatingIps),
        ...(guard === undefined ? {} : { unlessFloatingIpId: guard.toLowerCase() }),
        ...(unlessSnapshots === true && { unlessSnapshots }),
        ...(await earlierCutShortThere(deps, first, { schema, input, place, deed: 'deleted' })),
        policy: deps.policy,
      };
    },
  };
}

async function targetOf(
  { instanceId, madeBy = '', account = DEFAULT_ACCOUNT, ...rest }: DeleteInstanceInput & Place,
  { namespaceId, makerOf }: PrepareDeps,
): Promise<DeleteTarget> {
  if (instanceId !== undefined) return { instanceId: instanceId.toLowerCase() };
  const maker = await makerOf?.(madeBy);
  if (maker !== undefined) refuseOtherMaker(maker);
  const madeAt = maker?.madeAt;
  if (madeAt !== undefined) refuseElsewhere(madeAt, { ...rest, account });
  const marker = toMarker(activityInfo().namespace, madeBy);
  const hasMade = madeAt !== undefined;
  return { madeBy, marker, namespaceId: await namespaceId(), hasMade };
}

function refuseOtherMaker({ type }: MakerRun): void {
  if (type === Operation.provisionInstance) return;
  const message =
    type === Operation.runBatch
      ? 'is a batch: name the run of one of its items, or each of them in a batch of deleteInstance'
      : `is a run of ${type}, which makes no instance`;
  throw invalidInput([{ path: 'madeBy', message }]);
}

/** Nothing shows in another place, so its instance would look gone. */
function refuseElsewhere(made: MadeAt, asked: MadeAt): void {
  const { account, projectId, regionId } = made;
  const isHere =
    account === asked.account && projectId === asked.projectId && regionId === asked.regionId;
  if (isHere) return;
  const message = `has made its instance in project ${projectId}, region ${regionId} of the account "${account}": name that project, region and account`;
  throw invalidInput([{ path: 'madeBy', message }]);
}

/** Returns ids in lower case, as the API writes them, without duplicates. */
function normalizeIds(choice: DeleteChoice): DeleteChoice {
  return Array.isArray(choice) ? [...new Set(choice.map((id) => id.toLowerCase()))] : choice;
}
