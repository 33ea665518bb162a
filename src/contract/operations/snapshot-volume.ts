import { z } from 'zod';

import { resourceIdSchema } from '../api/cloud.js';
import { nameSchema } from '../api/create-instance-body.js';
import { defineMake } from './define-make.js';

export const snapshotVolume = defineMake({
  guarantees:
    'Takes one snapshot of a volume. It succeeds only when the snapshot is available. One request never takes two, and a failed or cancelled run removes what it took, and verifies that it is gone.',
  page: 'make-volume.md',
  shows: ['volumeId', 'name'],
  makes: 'snapshot',
  foundBy: ['volumeId'],
  says: 'take a snapshot of a volume, and never two; verified',
  input: {
    volumeId: resourceIdSchema.describe('id of the volume'),
    name: nameSchema.describe('of the snapshot'),
    description: z.string().min(1).max(1000).optional().describe('of the snapshot'),
  },
  result: {
    snapshotId: z.string().describe('id of the snapshot'),
    volumeId: z.string().describe('id of the volume'),
    name: z.string().describe('as the API shows it'),
    size: z.number().nullable().describe('in GiB; null when the API shows none'),
    status: z.string().describe('of the snapshot, at the last look'),
  },
  example: { volumeId: '3c5d7e9f-1a2b-4c3d-8e5f-6a7b8c9d0e1f', name: 'before-upgrade' },
  command: {
    word: 'snapshot-volume',
    arguments: ['volumeId', 'name'],
    options: ['description'],
  },
  done: ({ snapshotId, volumeId }) => `snapshot ${snapshotId} of volume ${volumeId} exists`,
});
