import { describe, expect, it } from '@jest/globals';

import { chooseKeys } from '../../../src/workflows/list-ssh-keys/steps/read-ssh-keys.js';

const key = (id: number, name: string, day: number) => ({
  id,
  name,
  publicKey: 'ssh-ed25519 AAAA',
  createdAt: `2026-01-0${day}T00:00:00.000Z`,
});
const KEYS = [key(1, 'b', 1), key(2, 'c', 2), key(3, 'a', 2), key(4, 'b', 3)];

const idsOf = (choice: Parameters<typeof chooseKeys>[1]) =>
  chooseKeys(KEYS, choice).map(({ id }) => id);

describe('the keys that a list shows', () => {
  it.each([
    [undefined, [1, 2, 3, 4]],
    ['created_at.asc', [1, 2, 3, 4]],
    ['created_at.desc', [4, 3, 2, 1]],
    ['name.asc', [3, 1, 4, 2]],
    ['name.desc', [2, 4, 1, 3]],
  ] as const)('have the order %s', (orderBy, ids) => {
    expect(idsOf({ ...(orderBy && { orderBy }) })).toEqual(ids);
  });

  it.each([
    [{ limit: 2 }, [1, 2]],
    [{ offset: 3 }, [4]],
    [{ offset: 1, limit: 2 }, [2, 3]],
    [{ offset: 9 }, []],
    [{ orderBy: 'created_at.desc', limit: 1 }, [4]],
  ] as const)('are the part %j', (choice, ids) => {
    expect(idsOf(choice)).toEqual(ids);
  });
});
