import type { ExtendVolumeInput, ExtendVolumeResult } from '../contract/operations/types.js';
import { Operation } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { TaskType } from '../contract/wire/tasks.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation } from './gcore.js';
import { prepareActivities } from './shared/prepare-activities.js';
import { brokenFaults, volumeChange, volumeOf } from './shared/volume-change.js';

const extend = volumeChange<ExtendVolumeInput>({
  name: 'extend volume',
  drift({ size = 0, status }, { input }) {
    if (size < input.size) return `it has ${size} GiB`;
    return status === 'extending' ? 'its status is still extending' : undefined;
  },
  faults: (volume) =>
    volume.type !== 'ssd_lowlatency'
      ? brokenFaults(volume)
      : [
          {
            path: 'volumeId',
            message: 'A volume of the type ssd_lowlatency cannot be extended',
            advice: 'Create a larger one, and copy what it holds.',
          },
        ],
  call: ({ id, ...place }) => ({
    path: paths.extendVolume(place, id),
    purpose: 'make the volume larger',
  }),
  send: (run, within, { size = 0 }) =>
    run.api.mutations.extendVolume(
      { ...within, summary: `${size} to ${run.input.size} GiB` },
      { ...volumeOf(run), size: run.input.size },
    ),
  starts: () => TaskType.extendVolume,
  says: ({ before, after }) => `${before.size ?? 0} → ${after.size ?? 0} GiB`,
  irreversible: () => 'A volume never shrinks: the new size stays, and is charged.',
});

/**
 * Makes a volume larger. Reports success only when a read shows the size. File systems on it are not changed.
 *
 * Sends nothing when the volume has the size or a larger one. After a lost answer it sends again only when no task of
 * the call shows in the grace time. Runs on one volume take turns. A failed or cancelled run changes nothing back.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `QuotaExceeded`, `CapacityUnavailable`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'`
 * it fails instead. With `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function extendVolume(
  input: ExtendVolumeInput,
): Promise<ExtendVolumeResult | Planned> {
  const { extendVolume: operation } = Operation;
  const { prepareExtendVolume: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    extend,
    ({ before, after, taskIds }, run): ExtendVolumeResult => ({
      volumeId: after.id,
      before: before.size ?? null,
      size: after.size ?? run.input.size,
      status: after.status,
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
