import { z } from 'zod';

import { ddosProfileBodySchema } from '../api/ddos.js';
import { durationSchema } from '../../engine/schema/parse-input.js';
import { ledgerSchema } from '../documents.js';
import { addressResource } from '../wire/names.js';
import { commonInputShape, idSchema } from './common-input.js';
import { canonicalAddress } from '../wire/address.js';
import { defineOperation, withRequestId } from './define-operation.js';

/**
 * Input of the workflow `protectIp`.
 *
 * @example
 * { profile: { ip_address: '203.0.113.7', profile_template: 12,
 *   fields: [{ base_field: 3, field_value: [8080, 8443] }] }, holdFor: '2 hours' }
 */
export const protectIpInputSchema = z.strictObject({
  ...commonInputShape,
  profile: ddosProfileBodySchema.describe('body of POST and PATCH /cloud/v1/ddos/profiles'),
  profileId: idSchema
    .optional()
    .describe('the profile to change, when the address has several profiles'),
  active: z
    .boolean()
    .optional()
    .describe('whether the profile should be active; true when left out'),
  bgp: z
    .boolean()
    .optional()
    .describe('option "bgp"; when left out, as the profile has it; the API chooses for a new one'),
  holdFor: durationSchema
    .optional()
    .describe('restore the previous state after this time, such as "2 hours"; never when left out'),
});

/** A profile as the API shows it. `profile` can be used as an input again. */
export const profileStateSchema = z.object({
  profile: z
    .object({
      ip_address: z.string().describe('the protected address'),
      profile_template: z.number().int().nullable().describe('id of the template'),
      fields: z
        .array(
          z.object({
            base_field: z.number().int().describe('id of a field of the template'),
            field_value: z.unknown().describe('its value'),
          }),
        )
        .describe('values of the fields of the template'),
    })
    .describe('in the form of an input'),
  active: z.boolean().describe('whether it protects the address'),
  bgp: z.boolean().describe('option "bgp"'),
  status: z.string().nullable().describe('as the API shows it, such as Active'),
});
export type ProfileState = z.infer<typeof profileStateSchema>;

/** Result of `protectIp`: the state that was read back, not the requested state. */
const protectIpResultSchema = z.object({
  profileId: z.number().int().describe('id of the profile'),
  created: z.boolean().describe('true when the address had no profile'),
  before: profileStateSchema.nullable().describe('at the first look; null without a profile'),
  after: profileStateSchema.describe('verified; with holdFor, the state during the hold'),
  status: z.string().nullable().describe('of the profile, as the API shows it at the last look'),
  restored: z.boolean().describe('true when the hold is over and the previous state is restored'),
  taskIds: z.array(z.string()).describe('ids of the tasks that its calls have started'),
  ledger: ledgerSchema,
});

const ADDRESS = /^(?:[\d.]+|(?=[^:]*:)[\da-f:.]+)$/i;
const named = withRequestId('protect', 'ADDRESS', '--template', 'ID');

export const protectIp = defineOperation({
  guarantees:
    'Gives an IP address a DDoS profile. It succeeds only when the profile is read back as active, with the template and the fields of the input. With `holdFor` it puts the earlier state back afterwards.',
  page: 'protect.md',
  shows: [
    'profile.ip_address',
    'profile.profile_template',
    'profile.fields.base_field',
    'profile.fields.field_value',
    'profileId',
    'active',
    'bgp',
    'holdFor',
  ],
  messages: 'the updates `extend` and `restore`, while the run holds the protection',
  failures: {
    always: ['TaskFailed'],
    blocks: ['QuotaExceeded', 'OutcomeUnknown', 'ResourceBusy'],
  },
  input: protectIpInputSchema,
  result: protectIpResultSchema,
  example: {
    projectId: 1,
    regionId: 1,
    profile: { ip_address: '203.0.113.7', profile_template: 12 },
    holdFor: '2 hours',
  },
  urgency: 'incident',
  // The same address may be attacked again next week.
  reuse: 'ALLOW_DUPLICATE',
  repeat: 'now',
  // Repeated alerts join the open run.
  requestId: ({ profile }) => canonicalAddress(profile.ip_address),
  defaults: { active: true, onFailure: 'rollback' },
  // An alert that repeats asks for a later end. Joining gives it one.
  joinsWith: ['holdFor'],
  // A run that is just restoring protects nobody any more.
  joinRequest: ({ holdFor }) => (holdFor === undefined ? {} : { holdFor }),
  endsItself: ({ holdFor }) => holdFor !== undefined,
  normalize: ({ profile, ...rest }) => ({
    ...rest,
    profile: { ...profile, ip_address: canonicalAddress(profile.ip_address) },
  }),
  subjects: ({ profile }) => [addressResource(canonicalAddress(profile.ip_address))],
  readsOnly: false,
  startAgain: (requestId) =>
    requestId !== undefined && ADDRESS.test(requestId)
      ? ['protect', requestId, '--template', 'ID']
      : named(requestId),
  whereToLook: () => 'The profile of the address shows what it did',
  leaves: {
    says: 'The address is as it was before, as far as it knows',
    next: 'nothing to do',
    undoes: true,
  },
  completedWork: ({ after, profileId, restored }) =>
    restored
      ? { done: 'it has restored the earlier state', advice: 'Nothing to do.' }
      : {
          done: `profile ${profileId} protects ${after.profile.ip_address}`,
          advice: 'Switch the profile off in the portal if you do not want it.',
        },
});
