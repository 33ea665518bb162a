import { z } from 'zod';

import { ipAddressSchema } from '../api/ddos.js';
import { canonicalAddress } from '../wire/address.js';
import { addressResource } from '../wire/names.js';
import { idSchema } from './common-input.js';
import { defineChange } from './define-change.js';
import { profileStateSchema } from './protect-ip.js';

export const removeProtection = defineChange({
  guarantees:
    'Removes the DDoS profile of one IP address. It succeeds only when the API no longer has it. It sends nothing when there is none: before it says so, it looks for longer than lists lag. It removes no other profile than the one that its first look has shown.',
  page: 'protect.md',
  shows: ['address', 'profileId'],
  changes: 'DDoS protection',
  subjects: ({ address }) => [addressResource(canonicalAddress(address))],
  failures: { blocks: ['RemovalBlocked', 'OutcomeUnknown'] },
  says: 'remove the DDoS profile of an address; verified as gone',
  input: {
    address: ipAddressSchema.describe('the protected address'),
    profileId: idSchema
      .optional()
      .describe('the profile to remove, when the address has several profiles'),
  },
  result: {
    address: z.string().describe('the address, in its canonical form'),
    profileId: z.number().int().nullable().describe('id of the removed profile; null: none'),
    before: profileStateSchema
      .nullable()
      .describe('the removed profile, in the form in which protectIp makes it again'),
  },
  example: { address: '203.0.113.7' },
  command: { word: 'unprotect', arguments: ['address'] },
  leaves: 'The address has its profile or none',
  done: ({ address }) => `address ${address} has no profile any more`,
  undo: 'Run protectIp with `before.profile` of the result to protect it again.',
});
