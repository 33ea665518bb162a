import { z } from 'zod';

import { resourceIdSchema } from '../api/cloud.js';
import { instanceResource } from '../wire/names.js';
import { defineChange } from './define-change.js';

export const setInstancePower = defineChange({
  guarantees:
    'Starts, stops or restarts one instance. It succeeds only when a read shows the status, and after a restart only when its task has finished. It never restarts twice.',
  page: 'change-instance.md',
  shows: ['instanceId', 'action'],
  changes: 'instance',
  subjects: ({ instanceId }) => [instanceResource(instanceId)],
  says: 'start, stop or restart an instance; verified',
  input: {
    instanceId: resourceIdSchema.describe('id of the instance'),
    action: z
      .enum(['start', 'stop', 'reboot', 'reboot_hard'])
      .describe('reboot asks the operating system; reboot_hard is the power switch'),
  },
  result: {
    instanceId: z.string().describe('id of the instance'),
    before: z.string().describe('status before the call'),
    status: z.string().describe('at the last look'),
  },
  example: { instanceId: '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f', action: 'reboot' },
  command: { word: 'power', arguments: ['instanceId', 'action'] },
  leaves: 'The instance is as its last action has left it',
  done: ({ instanceId, status }) => `instance ${instanceId} is ${status}`,
});
