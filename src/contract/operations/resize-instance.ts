import { z } from 'zod';

import { resourceIdSchema } from '../api/cloud.js';
import { instanceResource } from '../wire/names.js';
import { defineChange } from './define-change.js';

export const resizeInstance = defineChange({
  guarantees:
    'Gives one instance another flavor, which restarts it. It succeeds only when a read shows the flavor. It sends nothing when the instance has it already, and never resizes twice.',
  page: 'change-instance.md',
  shows: ['instanceId', 'flavor'],
  changes: 'instance',
  subjects: ({ instanceId }) => [instanceResource(instanceId)],
  blocks: ['QuotaExceeded', 'CapacityUnavailable'],
  says: 'give an instance another flavor, which restarts it; verified',
  input: {
    instanceId: resourceIdSchema.describe('id of the instance'),
    flavor: z.string().min(1).max(255).describe('id of the flavor, such as g2-standard-4-8'),
  },
  result: {
    instanceId: z.string().describe('id of the instance'),
    before: z.string().nullable().describe('flavor before the call; null when it showed none'),
    flavor: z.string().describe('id of the flavor at the last look'),
    status: z.string().describe('of the instance, at the last look'),
  },
  example: { instanceId: '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f', flavor: 'g2-standard-4-8' },
  command: { word: 'resize', arguments: ['instanceId', 'flavor'] },
  leaves: 'The instance has the flavor of before or the wanted one',
  done: ({ instanceId, flavor }) => `instance ${instanceId} has the flavor ${flavor}`,
});
