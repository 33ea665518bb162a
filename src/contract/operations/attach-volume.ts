import { z } from 'zod';

import { resourceIdSchema } from '../api/cloud.js';
import { volumeResource } from '../wire/names.js';
import { defineChange } from './define-change.js';

export const attachVolume = defineChange({
  guarantees:
    'Attaches one volume to one instance. It succeeds only when a read shows it there. It sends nothing when it is there already, and refuses a volume that another instance has.',
  page: 'change-volume.md',
  shows: ['volumeId', 'instanceId'],
  changes: 'volume',
  subjects: ({ volumeId }) => [volumeResource(volumeId)],
  says: 'attach a volume to an instance; verified',
  input: {
    volumeId: resourceIdSchema.describe('id of the volume'),
    instanceId: resourceIdSchema.describe('id of the instance'),
  },
  result: {
    volumeId: z.string().describe('id of the volume'),
    instanceId: z.string().describe('id of the instance that has it'),
    status: z.string().describe('of the volume, at the last look'),
  },
  example: {
    volumeId: '3c5d7e9f-1a2b-4c3d-8e5f-6a7b8c9d0e1f',
    instanceId: '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f',
  },
  command: { word: 'attach-volume', arguments: ['volumeId', 'instanceId'] },
  leaves: 'The volume is attached to the instance or to none',
  done: ({ volumeId, instanceId }) => `volume ${volumeId} is attached to instance ${instanceId}`,
});
