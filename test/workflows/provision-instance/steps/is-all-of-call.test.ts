import { describe, expect, it } from '@jest/globals';

import type { InstanceView } from '../../../../src/activities/instances.js';
import {
  isAllOfCall,
  type CallEvidence,
} from '../../../../src/workflows/provision-instance/steps/judge-instances.js';

const REQUEST = {
  asked: { volumes: 2, floatingIps: 0 },
  broughtVolumeIds: ['brought'],
  broughtFloatingIpIds: ['own'],
};
const NOTHING = { instances: [], volumes: [], floatingIps: [] };

const instance = (changed: Partial<InstanceView> = {}): InstanceView => ({
  id: 'i',
  name: 'web',
  status: 'ERROR',
  flavor: 'g2',
  creatorTaskId: 'task',
  addresses: [],
  publicAddress: null,
  volumeIds: ['brought', 'v1', 'v2'],
  marker: 'marker',
  maker: 'run',
  ...changed,
});
const evidence = (
  listed: InstanceView[],
  volumeIds: string[],
  named: CallEvidence['named'] = NOTHING,
): CallEvidence => ({ taskId: 'task', maker: 'run', named, made: { listed, volumeIds } });

describe('everything that a create call can have made', () => {
  it.each<[string, CallEvidence]>([
    ['the lists show it', evidence([instance()], ['v1', 'v2'])],
    [
      'the task names it',
      evidence([], [], { instances: ['i'], volumes: ['brought', 'v1', 'v2'], floatingIps: [] }),
    ],
    [
      'list and task together name it',
      evidence([instance({ volumeIds: ['v1'] })], ['v1'], { ...NOTHING, volumes: ['v2'] }),
    ],
  ])('is known when %s', (_, known) => {
    expect(isAllOfCall(REQUEST, known)).toBe(true);
  });

  it.each<[string, CallEvidence]>([
    ['nothing shows', evidence([], [])],
    ['no instance shows', evidence([], ['v1', 'v2'])],
    ['a volume is missing', evidence([instance({ volumeIds: ['v1'] })], ['v1', 'v2'])],
    ['an attached volume is not of the run', evidence([instance()], ['v1'])],
    ['another call made the instance', evidence([instance({ creatorTaskId: 'x' })], ['v1', 'v2'])],
    ['another run made the instance', evidence([instance({ maker: 'x' })], ['v1', 'v2'])],
    ['there are two instances', evidence([instance(), instance({ id: 'j' })], ['v1', 'v2'])],
    ['the task names only a part', evidence([], [], { ...NOTHING, volumes: ['v1', 'v2'] })],
  ])('is not known when %s', (_, known) => {
    expect(isAllOfCall(REQUEST, known)).toBe(false);
  });

  it("is not known while the task names the caller's floating IP alone", () => {
    const request = { ...REQUEST, asked: { volumes: 2, floatingIps: 1 } };
    const named = { ...NOTHING, floatingIps: ['own'] };

    expect(isAllOfCall(request, evidence([instance()], ['v1', 'v2'], named))).toBe(false);
  });

  it('is not known before the task names the floating IPs, which have no tags', () => {
    const request = { ...REQUEST, asked: { volumes: 2, floatingIps: 1 } };
    const shown = evidence([instance()], ['v1', 'v2']);
    const named = { ...NOTHING, floatingIps: ['f'] };

    expect([isAllOfCall(request, shown), isAllOfCall(request, { ...shown, named })]).toEqual([
      false,
      true,
    ]);
  });
});
