import type { MadeSnapshotView } from '../activities/snapshots.js';
import type { SnapshotVolumeInput, SnapshotVolumeResult } from '../contract/operations/types.js';
import { Operation, volumeResource } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { Planned } from '../engine/schema/documents.js';
import { makeOperation } from './gcore.js';
import { prepareActivities } from './shared/prepare-activities.js';
import { placeOf, resourceMake } from './shared/resource-make.js';
import { volumeIdOf } from './shared/volume-change.js';

const snapshot = resourceMake<SnapshotVolumeInput, MadeSnapshotView>(
  {
    kind: 'snapshot',
    sound: ['available'],
    broken: ['error', 'error_deleting', 'deleting'],
    path: paths.snapshot,
    read: (reads, place, id) => reads.getSnapshot({ ...place, snapshotId: id }),
    after: (snapshotIn) => ({ read: { snapshotIn }, stateIn: (seen) => seen.snapshot }),
    remove: ({ api }, within, { id, ...place }) =>
      api.deletes.deleteSnapshot(within, { ...place, snapshotId: id }),
  },
  {
    name: 'snapshot volume',
    // The API locks the volume while it takes one.
    resources: ({ input }) => [volumeResource(volumeIdOf(input))],
    list: (reads, search, input) =>
      reads.listMarkedSnapshots({ ...search, volumeId: volumeIdOf(input) }),
    volumeOf: volumeIdOf,
    listPath: paths.snapshots,
    purpose: 'take the snapshot',
    checks: (input, place) => [
      { path: paths.volume(place, volumeIdOf(input)), purpose: 'the volume can be snapshotted' },
    ],
    differs: ({ volumeId }, { input }) =>
      volumeId.toLowerCase() === volumeIdOf(input) ? undefined : `it is of volume ${volumeId}`,
    async check({ input, prepared, reads }, draft) {
      const place = placeOf({ prepared });
      const id = volumeIdOf(input);
      const path = 'volumeId';
      const seen = await draft.look(`volume ${id}`, () => reads.getVolume({ ...place, id }), path);
      if (seen.is === 'missing') {
        const advice = `Check the id: GET ${paths.volumes(place)} lists them.`;
        draft.fault({ path, message: `There is no volume ${id}`, advice });
      }
      if (seen.is === 'there' && seen.value.type === 'ssd_lowlatency') {
        draft.fault({
          path,
          message: 'A volume of the type ssd_lowlatency cannot be snapshotted',
          advice: 'Copy what it holds to a volume of another type.',
        });
      }
    },
    send({ api, input, prepared }, within) {
      const { marker, maker } = prepared;
      const { name, description, tags } = input;
      const body = { volumeId: volumeIdOf(input), name, description, tags };
      return api.mutations.createSnapshot(
        { ...within, summary: `snapshot ${name}` },
        { ...placeOf({ prepared }), ...body, marker, maker },
      );
    },
    says: ({ id, status }) => `${id}, ${status}`,
  },
);

/**
 * Takes a snapshot of a volume. Reports success only when a read shows it as available.
 *
 * One request never takes two: the run looks for its marker among the snapshots of the volume before it sends, and again
 * through the grace time after a lost answer. A sound snapshot of an earlier try is adopted. A failed or cancelled run
 * removes what it took itself and verifies that it is gone; with `onFailure: 'keep'` it stays, and the ledger names it.
 * Runs that work on one volume take turns.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `QuotaExceeded`, `CapacityUnavailable`, `OutcomeUnknown`, `ResourceBusy`, `RemovalBlocked`); with
 * `onBlocked: 'fail'` it fails instead. With `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function snapshotVolume(
  input: SnapshotVolumeInput,
): Promise<SnapshotVolumeResult | Planned> {
  const { snapshotVolume: operation } = Operation;
  const { prepareSnapshotVolume: prepare } = prepareActivities;
  return makeOperation(
    { operation, input, prepare },
    snapshot,
    ({ thing, taskIds, adopted }, run): SnapshotVolumeResult => ({
      snapshotId: thing.id,
      volumeId: thing.volumeId,
      name: thing.name ?? run.input.name,
      size: thing.size ?? null,
      status: thing.status,
      adopted,
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
