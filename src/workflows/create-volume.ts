import type { MadeVolumeView } from '../activities/volumes.js';
import type { CreateVolumeInput, CreateVolumeResult } from '../contract/operations/types.js';
import { Operation, type Place } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import type { Planned } from '../engine/schema/documents.js';
import type { Draft } from '../engine/plan/planning.js';
import { makeOperation, type AskedToMake } from './gcore.js';
import { describeUse } from './shared/holders.js';
import { checkImageSize, lookForPart } from './shared/plan/plan-parts.js';
import { prepareActivities } from './shared/prepare-activities.js';
import { placeOf, resourceMake } from './shared/resource-make.js';

type Asked = AskedToMake<CreateVolumeInput>;

/** The API writes ids in lower case. */
function sourceOf({ imageId, snapshotId }: CreateVolumeInput) {
  return { imageId: imageId?.toLowerCase(), snapshotId: snapshotId?.toLowerCase() };
}

/** The reads of the checks. */
function readsOf(input: CreateVolumeInput, place: Place) {
  const { imageId, snapshotId } = sourceOf(input);
  const image = imageId !== undefined && {
    path: paths.image(place, imageId),
    purpose: 'the image exists, and fits into the size',
  };
  const snapshot = snapshotId !== undefined && {
    path: paths.snapshot(place, snapshotId),
    purpose: 'the snapshot is available, and has the size',
  };
  const type = input.typeName !== undefined && {
    path: paths.region(place.regionId),
    purpose: 'the region has the type of volume',
  };
  return [image, snapshot, type].filter((read) => read !== false);
}

async function checkImage({ input, prepared, reads }: Asked, draft: Draft): Promise<void> {
  const { imageId: id } = sourceOf(input);
  if (id === undefined) return;
  const place = placeOf({ prepared });
  const named = { place, kind: 'image', id, path: 'imageId' };
  const image = await lookForPart(draft, named, () => reads.getImage({ ...place, id }));
  if (image.is !== 'there') return;
  checkImageSize(draft, { image: image.value, size: input.size, path: 'size' });
}

async function checkSnapshot({ input, prepared, reads }: Asked, draft: Draft): Promise<void> {
  const { snapshotId: id } = sourceOf(input);
  if (id === undefined) return;
  const place = placeOf({ prepared });
  const named = { place, kind: 'snapshot', id, path: 'snapshotId' };
  const snapshot = await lookForPart(draft, named, () =>
    reads.getSnapshot({ ...place, snapshotId: id }),
  );
  if (snapshot.is !== 'there') return;
  const { status, size = input.size } = snapshot.value;
  if (status !== 'available') {
    draft.fault({
      path: 'snapshotId',
      message: `Snapshot ${id} is ${status}, not available`,
      advice: 'Wait until it is available, or name another snapshot.',
    });
  }
  if (size !== input.size) {
    draft.fault({
      path: 'size',
      message: `Snapshot ${id} has ${size} GiB, and the volume gets that size`,
      advice: `Give the size ${size}. The volume can be extended later.`,
    });
  }
}

async function checkType({ input, prepared, reads }: Asked, draft: Draft): Promise<void> {
  const { typeName } = input;
  if (typeName === undefined) return;
  const { regionId } = prepared;
  const types = await draft.look(`the volume types of region ${regionId}`, () =>
    reads.listVolumeTypes({ regionId }),
  );
  if (types.is !== 'there' || types.value === null || types.value.includes(typeName)) return;
  draft.fault({
    path: 'typeName',
    message: `Region ${regionId} has no volumes of the type ${typeName}`,
    advice: `It has: ${types.value.join(', ')}.`,
  });
}

const volume = resourceMake<CreateVolumeInput, MadeVolumeView>(
  {
    kind: 'volume',
    sound: ['available', 'in-use'],
    // After a failed change, such as error_extending, a volume still has its data.
    broken: ['error', 'error_deleting', 'deleting'],
    path: paths.volume,
    read: (reads, place, id) => reads.getMarkedVolume({ ...place, volumeId: id }),
    after: (volumeIn) => ({ read: { volumeIn }, stateIn: ({ madeVolume }) => madeVolume }),
    heldBy: describeUse,
    remove: ({ api }, within, { id, ...place }) =>
      api.deletes.deleteVolume(within, { ...place, volumeId: id, unlessSnapshots: true }),
  },
  {
    name: 'create volume',
    list: (reads, search) => reads.listMarkedVolumes(search),
    listPath: paths.volumes,
    purpose: 'create the volume',
    checks: readsOf,
    differs({ size, type, imageId }, { input }) {
      const { source, ...wanted } = input;
      if (size !== undefined && size !== wanted.size) return `it has ${size} GiB`;
      if (type !== undefined && type !== (wanted.typeName ?? type)) return `its type is ${type}`;
      // A snapshot hands on the image of its volume. Of which snapshot a volume is, the API does not show.
      const isOther = imageId !== undefined && imageId !== sourceOf(input).imageId;
      return isOther && source !== 'snapshot' ? `it is made from image ${imageId}` : undefined;
    },
    async check(asked, draft) {
      await checkImage(asked, draft);
      await checkSnapshot(asked, draft);
      await checkType(asked, draft);
    },
    send({ api, input, prepared }, within) {
      const { marker, maker } = prepared;
      const { source, name, size, typeName, tags } = input;
      const body = { source, name, size, ...sourceOf(input), typeName, tags };
      return api.mutations.createVolume(
        { ...within, summary: `${name}, ${size} GiB` },
        { ...placeOf({ prepared }), ...body, marker, maker },
      );
    },
    says: ({ id, status }) => `${id}, ${status}`,
  },
);

/**
 * Creates a volume: empty, from an image, or from a snapshot. Reports success only when a read shows it as available, or
 * in use by somebody already.
 *
 * One request never makes two: the run looks for its marker among the volumes before it sends, and again through the grace
 * time after a lost answer. A sound volume of an earlier try is adopted. A failed or cancelled run removes what it made
 * itself and verifies that it is gone, but no volume that somebody has attached or taken snapshots of meanwhile: it blocks
 * as `RemovalBlocked`. With `onFailure: 'keep'` it stays, and the ledger names it.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `QuotaExceeded`, `CapacityUnavailable`, `OutcomeUnknown`, `ResourceBusy`, `RemovalBlocked`); with
 * `onBlocked: 'fail'` it fails instead. With `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function createVolume(
  input: CreateVolumeInput,
): Promise<CreateVolumeResult | Planned> {
  const { createVolume: operation } = Operation;
  const { prepareCreateVolume: prepare } = prepareActivities;
  return makeOperation(
    { operation, input, prepare },
    volume,
    ({ thing, taskIds, adopted }, run): CreateVolumeResult => ({
      volumeId: thing.id,
      name: thing.name ?? run.input.name,
      size: thing.size ?? null,
      typeName: thing.type ?? null,
      status: thing.status,
      adopted,
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
