import { describe, expect, it } from '@jest/globals';

import { chooseParts } from '../../../../src/workflows/delete-instance/steps/choose-parts.js';
import {
  otherHolderOfFloatingIp,
  otherHolderOfVolume,
} from '../../../../src/workflows/shared/holders.js';

describe('a choice of volumes or floating IPs', () => {
  it.each([
    ['delete', { chosen: ['a', 'b'], kept: [], loose: [] }],
    ['keep', { chosen: [], kept: ['a', 'b'], loose: [] }],
    [['b', 'c'], { chosen: ['b'], kept: ['a'], loose: ['c'] }],
  ] as const)('%j sorts the parts into chosen, kept and loose', (choice, parts) => {
    const given = typeof choice === 'string' ? choice : [...choice];

    expect(chooseParts(given, ['a', 'b'])).toEqual(parts);
  });
});

describe('otherHolderOfVolume', () => {
  it.each([
    ['nothing', [], undefined],
    ['its own instance', ['i-1'], undefined],
    ['another instance', ['i-2'], 'instance i-2'],
    ['its own instance and another one', ['i-1', 'i-2'], 'instance i-2'],
  ])('returns the other holder of a part attached to %s: %j', (_, attachedTo, holder) => {
    expect(otherHolderOfVolume({ status: 'in-use', attachedTo }, ['i-1'])).toBe(holder);
  });

  it('is somebody where the API does not say who, unless the status says that there is none', () => {
    expect(otherHolderOfVolume({ status: 'in-use' }, ['i-1'])).toContain('does not name');
    expect(otherHolderOfVolume({ status: 'available' }, ['i-1'])).toBeUndefined();
  });
});

describe('otherHolderOfFloatingIp', () => {
  const home = { instanceIds: ['i-1'], portId: 'p-1' };

  it.each([
    ['nothing', {}, undefined],
    ['its own instance', { instanceId: 'i-1', portId: 'p-9' }, undefined],
    ['its old port, without an instance', { portId: 'p-1' }, undefined],
    ['another instance', { instanceId: 'i-2', portId: 'p-1' }, 'instance i-2'],
    ['another port', { portId: 'p-2' }, 'port p-2'],
  ])('returns the other holder of a part attached to %s: %j', (_, view, holder) => {
    expect(otherHolderOfFloatingIp(view, home)).toBe(holder);
  });
});
