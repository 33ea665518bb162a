import { describe, expect, it } from '@jest/globals';

import { soakFaults } from '../../../bench/figures/soak-runs.js';
import { createFaultScript } from '../../../src/simulator/faults/fault-script.js';

function faultsIn(requests: number, share: number): string[] {
  const script = createFaultScript();
  for (const rule of soakFaults(share)) script.add(rule);
  return Array.from({ length: requests }, () => {
    const { exchange } = script.take(new Request('http://cloud/cloud/v1/tasks'));
    return exchange?.kind ?? '';
  }).filter((kind) => kind !== '');
}

describe('the faults of a soak', () => {
  it('meet one of twenty requests, each kind as often as the others', () => {
    const faults = faultsIn(1_800, 0.05);

    expect(faults).toHaveLength(90);
    expect(faults.filter((kind) => kind === 'drop-response')).toHaveLength(10);
    expect(faults.filter((kind) => kind === 'hang')).toHaveLength(10);
  });

  it('never come in two requests one after the other', () => {
    expect(faultsIn(19, 0.05)).toHaveLength(0);
  });

  it('are none without a share', () => {
    expect(faultsIn(100, 0)).toEqual([]);
  });
});
