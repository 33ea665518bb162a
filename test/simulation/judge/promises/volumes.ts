import { rowOf } from '../facts/rows.js';
import { about, askedSince, NOTHING, type OperationPromise, when } from './promise.js';

const PLACE = ['instanceId', 'status', 'device', 'attachedAt', 'isRootVolume'];

const extendVolume: OperationPromise<'extendVolume'> = {
  requests: 40,
  minutes: 60,
  once: ['extend_volume'],
  touches: ({ input: { volumeId: id } }) => [
    { rows: 'volumes', id, may: 'change', fields: ['size', 'status'] },
  ],
  broken: ({ input, result, cloud }) => {
    const row = rowOf(cloud, 'volumes', input.volumeId);
    const isLarge = row !== undefined && row.size >= input.size && result.size >= input.size;
    return when(
      !isLarge,
      `its volume has ${row?.size ?? 'no'} GiB, not ${input.size}`,
      about('volumes', input.volumeId),
    );
  },
};

const attachVolume: OperationPromise<'attachVolume'> = {
  requests: 40,
  minutes: 60,
  once: ['attach_volume'],
  touches: ({ input: { volumeId, instanceId } }) => [
    { rows: 'volumes', id: volumeId, may: 'change', fields: PLACE },
    { rows: 'instances', id: instanceId, may: 'change', fields: ['volumes', 'status'] },
  ],
  broken: ({ input, cloud }) => {
    const row = rowOf(cloud, 'volumes', input.volumeId);
    const isThere = row?.instanceId === input.instanceId && row.status === 'in-use';
    return when(!isThere, 'its volume is not attached to the instance', [
      ...about('volumes', input.volumeId),
      ...about('instances', input.instanceId),
    ]);
  },
};

const detachVolume: OperationPromise<'detachVolume'> = {
  requests: 40,
  minutes: 60,
  once: ['detach_volume'],
  touches: ({ input: { volumeId, instanceId } }) => [
    { rows: 'volumes', id: volumeId, may: 'change', fields: PLACE },
    { rows: 'instances', id: instanceId, may: 'change', fields: ['volumes', 'status'] },
  ],
  broken: ({ input, cloud }) => {
    const row = rowOf(cloud, 'volumes', input.volumeId);
    const holder = rowOf(cloud, 'instances', input.instanceId);
    const lists = holder?.volumes.some(({ id }) => id === input.volumeId) === true;
    return when(
      row?.instanceId === input.instanceId || lists,
      'the instance still has its volume',
      [...about('volumes', input.volumeId), ...about('instances', input.instanceId)],
    );
  },
};

const revertVolume: OperationPromise<'revertVolume'> = {
  requests: 40,
  minutes: 60,
  once: ['revert_volume'],
  touches: ({ input: { volumeId: id } }) => [
    { rows: 'volumes', id, may: 'change', fields: ['status'] },
  ],
  broken: ({ input, facts, run }) => {
    const reverts = [...facts.tasks.values()].filter(
      ({ plan, failure, endsAt, createdAt }) =>
        plan.kind === 'revert_volume' &&
        'locked' in plan &&
        plan.locked[0]?.id === input.volumeId &&
        failure === null &&
        endsAt >= askedSince(facts, run) - CLOCKS_APART_MS &&
        createdAt <= (run.closedAt ?? Infinity) + CLOCKS_APART_MS,
    );
    const isMeant = reverts.some(({ data }) => data['snapshot_id'] === input.snapshotId);
    return when(!isMeant, 'nothing has reverted its volume to the snapshot', []);
  },
};

const CLOCKS_APART_MS = 5 * 60_000;

const createVolume: OperationPromise<'createVolume'> = {
  requests: 40,
  minutes: 90,
  touches: NOTHING,
  broken: ({ input, result, cloud }) => {
    const row = rowOf(cloud, 'volumes', result.volumeId);
    const ref = (...fields: string[]) => about('volumes', result.volumeId, ...fields);
    if (row === undefined) return [{ says: 'its volume does not exist', about: ref() }];
    const isSound = row.status === 'available' || row.status === 'in-use';
    const isOfType = input.typeName === undefined || row.volumeType === input.typeName;
    return [
      ...when(!isSound, `its volume is ${row.status}`, ref('status')),
      ...when(
        row.size < input.size,
        `its volume has ${row.size} GiB, not ${input.size}`,
        ref('size'),
      ),
      ...when(row.name !== input.name, 'its volume has another name', ref('name')),
      ...when(!isOfType, `its volume is of the type ${row.volumeType}`, ref('volumeType')),
      ...when(
        input.source === 'image' && row.imageId !== input.imageId,
        'its volume is of another image',
        ref(),
      ),
    ];
  },
};

const snapshotVolume: OperationPromise<'snapshotVolume'> = {
  requests: 40,
  minutes: 90,
  touches: NOTHING,
  broken: ({ input, result, cloud }) => {
    const row = rowOf(cloud, 'snapshots', result.snapshotId);
    const ref = (...fields: string[]) => about('snapshots', result.snapshotId, ...fields);
    if (row === undefined) return [{ says: 'its snapshot does not exist', about: ref() }];
    return [
      ...when(row.status !== 'available', `its snapshot is ${row.status}`, ref('status')),
      ...when(row.volumeId !== input.volumeId, 'its snapshot is of another volume', ref()),
      ...when(row.name !== input.name, 'its snapshot has another name', ref('name')),
    ];
  },
};

export const VOLUME_PROMISES = {
  extendVolume,
  attachVolume,
  detachVolume,
  revertVolume,
  createVolume,
  snapshotVolume,
};
