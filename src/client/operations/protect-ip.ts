import { canonicalAddress } from '../../contract/address.js';
import { withRequestId, type OperationDescriptor } from './operation-descriptor.js';

const ADDRESS = /^(?:[\d.]+|(?=[^:]*:)[\da-f:.]+)$/i;
const named = withRequestId('protect', 'ADDRESS', '--template', 'ID');

export const protectIp = {
  urgency: 'incident',
  // The same address may be attacked again next week.
  reuse: 'ALLOW_DUPLICATE',
  // Repeated alerts join the open run.
  requestId: ({ profile }) => canonicalAddress(profile.ip_address),
  defaults: { active: true, onFailure: 'rollback' },
  // An alert that repeats asks for a later end. Joining gives it one.
  joinsWith: ['holdFor'],
  // A run that is just restoring protects nobody any more.
  joinRequest: ({ holdFor }) => (holdFor === undefined ? {} : { holdFor }),
  normalize: ({ profile, ...rest }) => ({
    ...rest,
    profile: { ...profile, ip_address: canonicalAddress(profile.ip_address) },
  }),
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
} as const satisfies OperationDescriptor<'protectIp'>;
