import { z } from 'zod';

import { resourceIdSchema } from '../api/cloud.js';
import { volumeResource } from '../wire/names.js';
import { defineChange } from './define-change.js';

export const revertVolume = defineChange({
  guarantees:
    'Reverts one volume to its last snapshot, when that is the named one and no instance has the volume; a snapshot that has failed does not count. It succeeds only when its task has finished. It never reverts twice.',
  page: 'change-volume.md',
  shows: ['volumeId', 'snapshotId'],
  changes: 'volume',
  subjects: ({ volumeId }) => [volumeResource(volumeId)],
  says: 'revert a volume to its last snapshot; verified by its task',
  input: {
    volumeId: resourceIdSchema.describe('id of the volume'),
    snapshotId: resourceIdSchema.describe(
      'id of the last snapshot of the volume that has not failed: the API reverts to no other',
    ),
  },
  result: {
    volumeId: z.string().describe('id of the volume'),
    snapshotId: z.string().describe('id of the snapshot'),
    status: z.string().describe('of the volume, at the last look'),
  },
  example: {
    volumeId: '3c5d7e9f-1a2b-4c3d-8e5f-6a7b8c9d0e1f',
    snapshotId: '5b7c9d1e-2f3a-4b5c-9d7e-8f9a0b1c2d3e',
  },
  command: { word: 'revert-volume', arguments: ['volumeId', 'snapshotId'] },
  leaves: 'The volume has what it had before, or what its last snapshot has',
  done: ({ volumeId, snapshotId }) => `volume ${volumeId} is as in snapshot ${snapshotId}`,
});
