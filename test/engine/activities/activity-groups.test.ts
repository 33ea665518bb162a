import { describe, expect, it } from '@jest/globals';

import {
  flattenGroups,
  mergeGroups,
  type ActivityGroups,
} from '../../../src/engine/activities/activity-groups.js';

const getVolume = () => Promise.resolve('volume');
const attachFloatingIp = () => Promise.resolve('attached');

const EMPTY = {
  reads: {},
  deletes: {},
  mutations: {},
  convergent: {},
  longReads: {},
  polls: {},
};

describe('the groups of activities', () => {
  it('keep the activities of all factories in their kind', () => {
    const merged = mergeGroups(
      { reads: { getVolume }, mutations: { attachFloatingIp } },
      { reads: { getImage: getVolume } },
    );

    expect(merged).toEqual({
      ...EMPTY,
      reads: { getVolume, getImage: getVolume },
      mutations: { attachFloatingIp },
    });
    expect(flattenGroups(merged)).toEqual({ getVolume, getImage: getVolume, attachFloatingIp });
  });

  it('do not compile with an activity that is in no group', () => {
    const checked = {
      reads: { getVolume },
      // @ts-expect-error This activity is in no group.
      attachFloatingIp,
    } satisfies ActivityGroups;
    const unchecked = { reads: { getVolume }, attachFloatingIp };
    // @ts-expect-error The same without a check in the factory.
    const merged = mergeGroups(unchecked);

    expect([checked, merged]).toHaveLength(2);
  });

  it('do not compile with a group that the engine does not know', () => {
    // @ts-expect-error The group is called mutations.
    const misspelt = { mutation: { attachFloatingIp } } satisfies ActivityGroups;
    const unchecked = { reads: { getVolume }, mutation: { attachFloatingIp } };
    // @ts-expect-error The same without a check in the factory.
    const merged = mergeGroups(unchecked);

    expect([misspelt, merged]).toHaveLength(2);
  });

  it('refuse one name twice, in one group or in two', () => {
    const inOne = () => mergeGroups({ reads: { getVolume } }, { reads: { getVolume } });
    const inTwo = () => flattenGroups({ ...EMPTY, reads: { getVolume }, deletes: { getVolume } });

    expect(inOne).toThrow('Two activities have the name getVolume');
    expect(inTwo).toThrow('Two activities have the name getVolume');
  });
});
