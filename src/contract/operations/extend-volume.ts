import { z } from 'zod';

import { resourceIdSchema } from '../api/cloud.js';
import { volumeResource } from '../wire/names.js';
import { defineChange } from './define-change.js';

/** The largest size of the API is undocumented; the simulator and the product accept up to 1 PiB. */
const MAX_SIZE_GIB = 1_048_576;

export const extendVolume = defineChange({
  guarantees:
    'Makes one volume larger. It succeeds only when a read shows the size. It sends nothing when the volume has the size already or a larger one: a volume never shrinks.',
  page: 'change-volume.md',
  shows: ['volumeId', 'size'],
  changes: 'volume',
  subjects: ({ volumeId }) => [volumeResource(volumeId)],
  blocks: ['QuotaExceeded', 'CapacityUnavailable'],
  says: 'make a volume larger; verified',
  input: {
    volumeId: resourceIdSchema.describe('id of the volume'),
    size: z
      .number()
      .int()
      .min(1)
      .max(MAX_SIZE_GIB)
      .describe('in GiB: the volume has at least this size afterwards'),
  },
  result: {
    volumeId: z.string().describe('id of the volume'),
    before: z.number().nullable().describe('GiB before the call; null when it showed none'),
    size: z.number().describe('in GiB, at the last look'),
    status: z.string().describe('of the volume, at the last look'),
  },
  example: { volumeId: '3c5d7e9f-1a2b-4c3d-8e5f-6a7b8c9d0e1f', size: 40 },
  command: { word: 'extend-volume', arguments: ['volumeId', 'size'] },
  leaves: 'The volume has the size of before or the wanted one',
  done: ({ volumeId, size }) => `volume ${volumeId} has ${size} GiB`,
});
