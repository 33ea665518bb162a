import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import type { SshKeyView } from '../../../src/activities/ssh-keys.js';
import { createListWalk } from '../../../src/contract/wire/list-walk.js';

const LIMIT = 4;

function keyOf(id: number): SshKeyView {
  return { id, name: `key-${id}`, publicKey: 'ssh-ed25519 A', createdAt: '2026-01-01T00:00:00Z' };
}

/** A list that changes as `change` says before each page is read. */
function walkThrough(
  initial: readonly number[],
  change: (ids: number[], page: number) => void,
  { count = (ids: readonly number[]) => ids.length, most = LIMIT } = {},
) {
  const ids = [...initial];
  const walk = createListWalk<SshKeyView>(LIMIT, ({ id }) => id);
  const offsets: number[] = [];
  for (let offset = walk.offset(); offset !== undefined; offset = walk.offset()) {
    if (offsets.length > 200) throw new Error('the walk does not end');
    change(ids, offsets.length);
    offsets.push(offset);
    const keys = ids.slice(offset, offset + Math.min(LIMIT, most)).map(keyOf);
    walk.take({ rows: keys, count: count(ids) });
  }
  return { read: walk.rows().map(({ id }) => id), offsets };
}

const nothing = (): void => undefined;
const remove = (ids: number[], id: number): void => {
  ids.splice(ids.indexOf(id), 1);
};
const NINE = [1, 2, 3, 4, 5, 6, 7, 8, 9];

describe('createListWalk', () => {
  it.each([
    ['nothing', [], [0]],
    ['less than a page', [1, 2], [0]],
    ['just a page', [1, 2, 3, 4], [0]],
    ['a page and one', [1, 2, 3, 4, 5], [0, 3]],
    ['three pages', NINE, [0, 3, 6]],
  ])('reads %s once, each page from the last row of the page before', (_, ids, offsets) => {
    expect(walkThrough(ids, nothing)).toEqual({ read: ids, offsets });
  });

  it('goes back for a key that a removal has moved to an earlier page', () => {
    const { read, offsets } = walkThrough(NINE, (ids, page) => {
      if (page === 1) remove(ids, 2);
    });

    expect(offsets).toEqual([0, 3, 0, 3, 6]);
    expect(read).toEqual(NINE);
  });

  it('goes back also when an added key keeps the count the same', () => {
    const { read } = walkThrough(NINE, (ids, page) => {
      if (page !== 1) return;
      remove(ids, 1);
      ids.push(10);
    });

    expect(read).toEqual([...NINE, 10]);
  });

  it('goes back when the list has become shorter than the offset', () => {
    const { read } = walkThrough(NINE, (ids, page) => {
      if (page === 2) ids.splice(0, 6);
    });

    expect(read).toEqual(NINE);
  });

  it('recognizes a key that an added key has moved', () => {
    const { read } = walkThrough([...NINE].reverse(), (ids, page) => {
      if (page > 0) ids.unshift(100 + page);
    });

    expect(read).toEqual([...NINE].reverse());
  });

  it('continues after a page that is shorter than requested', () => {
    expect(walkThrough(NINE, nothing, { most: 3 }).read).toEqual(NINE);
  });

  it('ends at the end of the list, although the count is larger', () => {
    expect(walkThrough(NINE, nothing, { count: () => 1_000 }).read).toEqual(NINE);
  });

  it('loses no key that exists during the whole read, whatever is added and removed', () => {
    const changesOf = fc.array(
      fc.record({
        removals: fc.array(fc.nat({ max: 40 }), { maxLength: 6 }),
        additions: fc.nat({ max: 3 }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(fc.nat({ max: 30 }), changesOf, (length, changes) => {
        const initial = Array.from({ length }, (_, index) => index);
        const removed = new Set<number>();
        let next = 1_000;
        const { read } = walkThrough(initial, (ids, page) => {
          const { removals = [], additions = 0 } = changes[page] ?? {};
          for (const position of removals) {
            const [id] = ids.splice(position, 1);
            if (id !== undefined) removed.add(id);
          }
          for (let added = 0; added < additions; added++) ids.push(next++);
        });

        expect(new Set(read).size).toBe(read.length);
        expect(read).toEqual(expect.arrayContaining(initial.filter((id) => !removed.has(id))));
      }),
      { numRuns: 2_000 },
    );
  });
});
