import { describe, expect, it } from '@jest/globals';

import { createKeyMerge } from '../../../src/workflows/grant-sftp-access/steps/sftp-key-merge.js';
import { isChanged } from '../../../src/workflows/delete-instance/steps/changed-parts.js';
import { chooseParts } from '../../../src/workflows/delete-instance/steps/choose-parts.js';
import { describeContentDrift } from '../../../src/workflows/shared/ddos-profile/judge-profile.js';
import { chooseTarget } from '../../../src/workflows/shared/floating-ip-target.js';
import { leastCpuMs } from '../../support/timing/least-cpu-ms.js';

const MANY = 20_000;
const MOST_MS = 300;

const numbers = (from: number) => Array.from({ length: MANY }, (_, at) => from + at);
/** As they come from an answer: equal texts are not the same text. */
const ids = (prefix: string) => numbers(0).map((at) => [prefix, at].join('-'));

const instance = () => ({
  ...{ id: 'i-1', name: 'a', status: 'ACTIVE', flavor: undefined, creatorTaskId: undefined },
  ...{ publicAddress: null, marker: undefined },
  volumeIds: ids('volume'),
  addresses: ids('address').map((address) => ({ network: 'n', address, type: 'floating' })),
});
const found = () => ({
  place: { projectId: 1, regionId: 1 },
  instanceId: 'i-1',
  instance: instance(),
  volumeIds: ids('volume'),
  floatingIps: ids('ip').map((id) => ({ id })),
  kept: { volumes: ids('kept'), floatingIps: [] },
});
const profile = () => ({
  ...{ id: 5, address: '203.0.113.7', templateId: 12, active: true, bgp: false, status: 'Active' },
  fields: numbers(0).map((at) => ({ base_field: at, field_value: at, isUsual: false })),
  ...{ problem: undefined, managedBy: 'user' },
});
const port = () => ({
  ...{ portId: 'p-1', isExternal: false, addresses: ids('10.0.0') },
  floatingIps: ids('ip').map((id) => ({ id, fixedIp: `not-${id}` })),
});

/** Temporal ends a workflow that stands still for two seconds. */
describe('an answer with thousands of entries does not stop a workflow', () => {
  it.each<[string, () => unknown]>([
    ['the parts of an instance', () => chooseParts(ids('a'), ids('b'))],
    [
      'the parts that an instance has now',
      () => isChanged(found(), instance(), found().floatingIps),
    ],
    [
      'the fields of a profile',
      () =>
        describeContentDrift(profile(), {
          templateId: 12,
          fields: numbers(MANY).map((at) => ({ base_field: at, field_value: at })),
        }),
    ],
    [
      'the addresses of an instance',
      () => chooseTarget([port()], { floatingIpId: 'mine', instanceId: 'i-1' }),
    ],
    [
      'the keys of a storage',
      () => {
        const merge = createKeyMerge(numbers(MANY));
        merge.sent(numbers(0));
        return merge.judge(numbers(2 * MANY));
      },
    ],
  ])('that is compared: %s', async (_, compare) => {
    expect(await leastCpuMs(MOST_MS, compare)).toBeLessThan(MOST_MS);
  });
});
