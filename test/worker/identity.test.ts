import { describe, expect, it } from '@jest/globals';

import { canWatch, createIdentity, rankAmong } from '../../src/worker/identity.js';
import { withClockSetBy } from '../support/timing/set-clock.js';

describe('the identity of a process', () => {
  it('sorts by the start of the process, also across years', async () => {
    const create = () => Promise.resolve(createIdentity({ watches: true }));
    const DAY = 86_400_000;
    const starts = [-20_000 * DAY, -DAY, 0, DAY, 40 * 366 * DAY];

    const identities: string[] = [];
    for (const start of starts) identities.push(await withClockSetBy(start, create));

    expect(identities.map((identity) => rankAmong(identities, identity))).toEqual([0, 1, 2, 3, 4]);
  });

  it('differs for workers that start at the same moment', () => {
    const identities = Array.from({ length: 50 }, () => createIdentity({ watches: true }));

    const ranks = identities.map((identity) => rankAmong(identities, identity));

    expect(new Set(ranks).size).toBe(50);
  });

  it.each([
    ['says its start when it can watch', createIdentity({ watches: true }), true],
    ['says none when it cannot', createIdentity({ watches: false }), false],
    ['has no start in another version', `1@host/0a1b2c3d`, false],
    ['has no start where the SDK chose it', `1@host`, false],
  ])('%s', (_title, identity, expected) => {
    expect(canWatch(identity)).toBe(expected);
  });
});
