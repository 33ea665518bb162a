import type { RevertVolumeInput, RevertVolumeResult } from '../contract/operations/types.js';
import type { VolumeView } from '../activities/lookups.js';
import type { RevertibleVolume } from '../activities/snapshots.js';
import { Operation } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { TaskType } from '../contract/wire/tasks.js';
import type { Planned } from '../engine/schema/documents.js';
import type { PlanFault } from '../engine/plan/planning.js';
import { changeOperation, type Asked } from './gcore.js';
import { prepareActivities } from './shared/prepare-activities.js';
import { holdersOf } from './shared/holders.js';
import { resourceChange, type Target } from './shared/resource-change.js';
import { isAttached, VOLUME, volumeOf } from './shared/volume-change.js';

/** `last`: missing where only the volume was read. */
type Revertible = VolumeView & Partial<Pick<RevertibleVolume, 'last'>>;

const REVERTIBLE = {
  ...VOLUME,
  /** Both at the same look: somebody may take another snapshot at any moment. */
  read: ({ reads }: Asked<RevertVolumeInput>, { id: volumeId, ...place }: Target) =>
    reads.getRevertibleVolume({ ...place, volumeId }),
};

const revert = resourceChange<RevertVolumeInput, Revertible>(REVERTIBLE, {
  name: 'revert volume',
  drift({ status, last }, { input }, isCarriedOut) {
    if (!isCarriedOut) return 'it is not known to have been reverted';
    if (status !== 'available') return `its status is ${status}`;
    // The call names no snapshot. The look before it may have been too old to show one that somebody has taken since.
    if (last === undefined) return 'its snapshots have not been read since';
    return last?.id === input.snapshotId.toLowerCase()
      ? undefined
      : `its last snapshot is ${last?.id ?? 'none'} by now, and the API reverts to the last one`;
  },
  faults(volume, { input }) {
    const faults: PlanFault[] = [];
    if (holdersOf(volume)?.length !== 0) {
      faults.push(isAttached(volume, 'Detach it first: the API reverts no volume in use.'));
    }
    faults.push(...judgeLast(volume, input.snapshotId.toLowerCase()));
    return faults;
  },
  call: ({ id, ...place }) => ({
    path: paths.revertVolume(place, id),
    purpose: 'revert the volume to its last snapshot',
  }),
  send: (run, within) =>
    run.api.mutations.revertVolume(
      { ...within, summary: `to snapshot ${run.input.snapshotId}` },
      volumeOf(run),
    ),
  starts: () => TaskType.revertVolume,
  leavesNoTrace: () => true,
  says: ({ after }) => `reverted, ${after.status}`,
  irreversible: () => 'What was written to the volume since its last snapshot is lost.',
});

function judgeLast({ last }: Revertible, wantedId: string): PlanFault[] {
  const path = 'snapshotId';
  if (last?.id !== wantedId) {
    const shown = last ? `${last.id}, ${last.status}` : 'none: it has no sound snapshot';
    return [
      {
        path,
        message: `The last snapshot of the volume is ${shown}`,
        advice: 'Name the last one: the API reverts to no other.',
      },
    ];
  }
  if (last.status === 'available') return [];
  return [
    {
      path,
      message: `Snapshot ${last.id} is ${last.status}, not available`,
      advice: 'Wait until it is available: the API could revert to an older one.',
    },
  ];
}

/**
 * Reverts a volume to its last snapshot. Reports success only when its task has finished, the volume is available, and no newer
 * snapshot shows: the API may have reverted to that one.
 *
 * Refuses a volume that an instance has, and another snapshot than the last one; one that has failed does not count. After
 * a lost answer it sends again only when no task of the call shows in the grace time. Nothing but its task tells of it:
 * where tasks do not name their volume, the run blocks as `OutcomeUnknown` and a person decides. Runs on one volume take
 * turns. A failed or cancelled run changes nothing back.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it
 * sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function revertVolume(
  input: RevertVolumeInput,
): Promise<RevertVolumeResult | Planned> {
  const { revertVolume: operation } = Operation;
  const { prepareRevertVolume: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    revert,
    ({ after, taskIds }, run): RevertVolumeResult => ({
      volumeId: after.id,
      snapshotId: run.input.snapshotId.toLowerCase(),
      status: after.status,
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
