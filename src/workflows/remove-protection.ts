import type { DdosProfileView } from '../activities/ddos-profiles.js';
import { canonicalAddress } from '../contract/wire/address.js';
import type {
  RemoveProtectionInput,
  RemoveProtectionResult,
} from '../contract/operations/types.js';
import type { PreparedPlacedChange } from '../contract/wire/prepared.js';
import { addressResource, Operation } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { TaskType } from '../contract/wire/tasks.js';
import type { Planned } from '../engine/schema/documents.js';
import { removeOperation, type Asked, type RemoveStep } from './gcore.js';
import { toResource, toState, type ProfilePlace } from './shared/ddos-profile/ddos-run.js';
import { chooseProfile } from './shared/ddos-profile/judge-profile.js';
import { explainMissingPlace } from './shared/plan/plan-parts.js';
import { prepareActivities } from './shared/prepare-activities.js';

const profiles = (
  asked: Asked<RemoveProtectionInput>,
  inTwoLists = false,
): Promise<DdosProfileView[]> => asked.reads.listDdosProfiles({ ...placeOf(asked), inTwoLists });

const remove: RemoveStep<RemoveProtectionInput, PreparedPlacedChange, DdosProfileView> = {
  name: 'remove profile',
  resources: ({ input }) => [addressResource(canonicalAddress(input.address))],
  async find(asked) {
    const { profileId } = asked.input;
    return chooseProfile(await profiles(asked, profileId === undefined), profileId);
  },
  // The address may have a new profile by now: that one stays.
  again: async ({ id }, asked) => (await profiles(asked)).find((profile) => profile.id === id),
  faults: ({ id, managedBy }) =>
    managedBy !== 'system'
      ? []
      : [
          {
            path: 'address',
            message: `Profile ${id} is managed by the platform itself`,
            advice: 'Ask the support of the API to remove it.',
          },
        ],
  resource: ({ id }) => toResource(id),
  send: ({ api, prepared: { projectId, regionId } }, within, { id: profileId, address }) =>
    api.deletes.deleteDdosProfile(
      { ...within, summary: `remove profile ${profileId} of ${address}` },
      { projectId, regionId, profileId },
    ),
  starts: TaskType.deleteProfile,
  irreversible: () => 'The address loses its protection. The result has the profile as "before".',
  calls(asked) {
    const { address, ...place } = placeOf(asked);
    const list = { method: 'GET', path: paths.ddosProfiles(place) };
    return {
      read: { ...list, purpose: `find the profile of ${address}` },
      change: [
        {
          method: 'DELETE',
          path: paths.ddosProfile(place, '{profile_id}'),
          purpose: 'remove the profile',
        },
        { method: 'GET', path: paths.task('{task_id}'), purpose: 'wait for the task' },
        { ...list, purpose: 'look until it is gone' },
      ],
    };
  },
  explainMissing: (asked, draft) =>
    explainMissingPlace(asked.reads, draft, { place: placeOf(asked), regionPath: 'regionId' }),
};

function placeOf({
  input,
  prepared: { projectId, regionId },
}: Pick<Asked<RemoveProtectionInput>, 'input' | 'prepared'>): ProfilePlace {
  return { projectId, regionId, address: canonicalAddress(input.address) };
}

/**
 * Removes the DDoS profile of an address. Reports success only when the API no longer has it.
 *
 * Removes the profile that the first look shows, by its id, and no other: sends nothing when there is none, and blocks as
 * `OutcomeUnknown` when there are several and the input names none of them. Runs on one address take turns, so it waits
 * for a run that holds a protection. A failed or cancelled run makes no profile again.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `OutcomeUnknown`, `RemovalBlocked`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it
 * sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `DeadlineExceeded` or `Aborted`.
 */
export async function removeProtection(
  input: RemoveProtectionInput,
): Promise<RemoveProtectionResult | Planned> {
  const { removeProtection: operation } = Operation;
  const { prepareRemoveProtection: prepare } = prepareActivities;
  return removeOperation(
    { operation, input, prepare },
    remove,
    ({ before, taskIds }, run): RemoveProtectionResult => ({
      address: canonicalAddress(run.input.address),
      profileId: before?.id ?? null,
      before: before === undefined ? null : toState(before),
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
