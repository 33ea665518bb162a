import { z } from 'zod';

import { resourceIdSchema } from '../api/cloud.js';
import { ipAddressSchema } from '../api/ddos.js';
import { floatingIpResource } from '../wire/names.js';
import { defineChange } from './define-change.js';

const placeSchema = z.object({
  portId: z.string().nullable().describe('id of the port; null: none'),
  fixedIpAddress: z.string().nullable().describe('the private address; null: none'),
});

export const moveFloatingIp = defineChange({
  guarantees:
    'Moves one floating IP to an instance, in one call: it is never taken away first. It succeeds only when a read shows it at the port. It sends nothing when it is there, takes no address that another floating IP has, and touches no other floating IP.',
  page: 'move-address.md',
  shows: ['floatingIpId', 'instanceId', 'fixedIpAddress', 'fromPortId'],
  changes: 'floating IP',
  subjects: ({ floatingIpId }) => [floatingIpResource(floatingIpId)],
  says: 'move a floating IP to an instance; verified',
  input: {
    floatingIpId: resourceIdSchema.describe('id of the floating IP'),
    instanceId: resourceIdSchema.describe('id of the instance that shall have it'),
    fixedIpAddress: ipAddressSchema
      .optional()
      .describe('the private address that it shall lead to, when the instance has several'),
    fromPortId: resourceIdSchema
      .optional()
      .describe('the port that it leads to now: from any other one it is not moved'),
  },
  result: {
    floatingIpId: z.string().describe('id of the floating IP'),
    address: z
      .string()
      .nullable()
      .describe('the public address; null where the API does not say it'),
    instanceId: z.string().describe('id of the instance that has it'),
    portId: z.string().describe('id of its port'),
    before: placeSchema.describe('where it led to before'),
  },
  example: {
    floatingIpId: '5e7f9a1b-2c3d-4e5f-8a6b-7c8d9e0f1a2b',
    instanceId: '9f1c2d3e-4b5a-4c6d-8e7f-0a1b2c3d4e5f',
  },
  command: {
    word: 'move-ip',
    arguments: ['floatingIpId', 'instanceId'],
    options: ['fixedIpAddress', 'fromPortId'],
  },
  leaves: 'The floating IP is where it was or at the instance',
  done: ({ floatingIpId, instanceId }) => `instance ${instanceId} has floating IP ${floatingIpId}`,
  undo: 'Run moveFloatingIp to the instance that had it to move it back.',
});
