import { canonicalAddress } from '../contract/address.js';
import type { Operations } from '../contract/operations/index.js';
import type { Operation } from '../contract/wire/names.js';
import {
  leavesNothing,
  lookForTag,
  withRequestId,
  type OperationDescriptor,
  type CompletedWork,
} from './operation-descriptor.js';

const provisionInstance = {
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  defaults: { onFailure: 'rollback', waitFor: 'active' },
  readsOnly: false,
  startAgain: withRequestId('provision', '--file', 'FILE'),
  whereToLook: lookForTag,
  leaves: leavesNothing,
  completedWork: ({ instanceId }) => ({
    done: `instance ${instanceId} exists`,
    advice: 'Delete the instance if you do not want it.',
  }),
} as const satisfies OperationDescriptor<'provisionInstance'>;

const ADDRESS = /^(?:[\d.]+|(?=[^:]*:)[\da-f:.]+)$/i;
const named = withRequestId('protect', 'ADDRESS', '--template', 'ID');

const protectIp = {
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

const modifyKvStore = {
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  defaults: { allowIrreversible: false, chunkItems: 1_000, force: false, verify: 'sample' },
  readsOnly: false,
  startAgain: withRequestId('kv-push', 'FILE', '--store', 'ID'),
  whereToLook: () => 'The store shows what was written',
  leaves: {
    says: 'What it has written stays in the store',
    next: 'push the values that the keys should have',
  },
  completedWork: ({ items }) => ({
    done: `it has written ${items} items`,
    advice: 'To change the keys again, push the values that they should have.',
  }),
} as const satisfies OperationDescriptor<'modifyKvStore'>;

const importVideos = {
  // One import sends thousands of calls: all other runs go first.
  urgency: 'bulk',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  defaults: { tolerate: { count: 0 }, waitFor: 'viewable' },
  readsOnly: false,
  startAgain: withRequestId('import', 'FILE'),
  whereToLook: () => 'The list of videos shows what it has created',
  leaves: {
    says: 'The videos that it has created are kept: its report names them',
    next: 'delete the videos that you do not want',
  },
  completedWork: ({ counts }) => ({
    done: `it has imported ${counts.succeeded} videos`,
    advice: 'Delete the videos that you do not want; the result names them.',
  }),
} as const satisfies OperationDescriptor<'importVideos'>;

const listSshKeys = {
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  readsOnly: true,
  startAgain: () => ['ssh-keys'],
  whereToLook: () => 'It only reads: there is nothing to look for',
  leaves: { says: 'It only reads: nothing was changed', next: 'nothing to do' },
  completedWork: ({ count }) => ({
    done: `it has read ${count} keys`,
    advice: 'Nothing to do: it only reads.',
  }),
} as const satisfies OperationDescriptor<'listSshKeys'>;

const grantSftpAccess = {
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  defaults: { onFailure: 'rollback' },
  readsOnly: false,
  startAgain: withRequestId('grant-sftp', 'STORAGE', '--key', 'NAME'),
  whereToLook: () => 'The storage shows which keys are linked to it',
  leaves: {
    says: 'No key that it has linked is still linked, as far as it knows',
    next: 'nothing to do',
    undoes: true,
  },
  completedWork({ keys, storageId }) {
    const names = keys.filter(({ linked }) => linked).map(({ name }) => name);
    if (names.length === 0) {
      return {
        done: 'all keys were linked before',
        advice: 'Nothing to do: it changed nothing.',
      };
    }
    return {
      done: `it has linked ${names.join(', ')} to SFTP storage ${storageId}`,
      advice: 'Unlink the keys if you do not want them.',
    };
  },
} as const satisfies OperationDescriptor<'grantSftpAccess'>;

const deleteInstance = {
  urgency: 'normal',
  reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
  requestId: 'from caller',
  readsOnly: false,
  startAgain: withRequestId(
    'delete',
    'INSTANCE_ID',
    '--volumes',
    'WHICH',
    '--floating-ips',
    'WHICH',
  ),
  whereToLook: () => 'The project shows which instances, volumes and floating IPs still exist',
  leaves: { says: 'What it has deleted stays deleted', next: 'nothing to do' },
  completedWork: ({ instanceId, alreadyGone }) => ({
    done: `instance ${instanceId ?? 'of the request'} ${alreadyGone ? 'was gone already' : 'is deleted'}`,
    advice: 'Nothing to do: a deletion cannot be undone.',
  }),
} as const satisfies OperationDescriptor<'deleteInstance'>;

export type { CompletedWork } from './operation-descriptor.js';

type Descriptors = { readonly [O in Operation]: OperationDescriptor<O> };

const exactDescriptors = {
  provisionInstance,
  protectIp,
  modifyKvStore,
  importVideos,
  listSshKeys,
  grantSftpAccess,
  deleteInstance,
} as const satisfies Descriptors;

/** What the client and the command line know about each operation. */
export const OPERATIONS: Descriptors = exactDescriptors;

/** Operations whose requests need no id: it follows from the input. */
export type NamedByInput = {
  [O in Operation]: (typeof exactDescriptors)[O]['requestId'] extends 'from caller' ? never : O;
}[Operation];

export function isOperation(name: string | undefined): name is Operation {
  return name !== undefined && Object.hasOwn(OPERATIONS, name);
}

/** The request id of an input without one; `undefined` when the caller must name the request. */
export function requestIdFrom<O extends Operation>(
  operation: O,
  input: Operations[O]['input'],
): string | undefined {
  const { requestId } = OPERATIONS[operation];
  return requestId === 'from caller' ? undefined : requestId(input);
}

/** A result, together with the operation that it belongs to. */
export type OperationResult<O extends Operation = Operation> = {
  [P in O]: { operation: P; result: Operations[P]['result'] };
}[O];

/** What a run has done when a request to stop it came too late. */
export function completedWorkOf<O extends Operation>(end: OperationResult<O>): CompletedWork {
  return OPERATIONS[end.operation].completedWork(end.result);
}
