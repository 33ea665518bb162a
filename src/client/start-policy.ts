import { canonicalAddress } from '../contract/address.js';
import type { Urgency } from '../contract/names.js';
import type { Operations } from '../contract/operations/index.js';

interface StartPolicy<Input> {
  urgency: Urgency;
  /** Whether a request that has succeeded may be started again. */
  reuse: 'ALLOW_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY';
  /** Of a request without an id of its own; missing where the caller has to name it. */
  requestIdOf?: (input: Input) => string;
}

const MAKES_ONE = { urgency: 'normal', reuse: 'ALLOW_DUPLICATE_FAILED_ONLY' } as const;

/** How the runs of each operation are started, unless the caller says otherwise. */
export const START_POLICIES: {
  readonly [O in keyof Operations]: StartPolicy<Operations[O]['input']>;
} = {
  provisionInstance: MAKES_ONE,
  listSshKeys: MAKES_ONE,
  grantSftpAccess: MAKES_ONE,
  modifyKvStore: MAKES_ONE,
  // Items by the thousand wait for everything else.
  importVideos: { ...MAKES_ONE, urgency: 'bulk' },
  protectIp: {
    urgency: 'incident',
    // The same address may be attacked again next week.
    reuse: 'ALLOW_DUPLICATE',
    // Alerts that repeat themselves join the open run.
    requestIdOf: ({ profile }) => canonicalAddress(profile.ip_address),
  },
};

/** Operations whose requests need no id: their input says what they are about. */
export type NamedByInput = 'protectIp';
