import { describe, expect, it } from '@jest/globals';

import {
  createWanted,
  findMade,
  isOtherForm,
  madeByCall,
  type Named,
} from '../../../src/workflows/shared/made-by-name.js';

const asked: Named = { id: 1, fit: 'as asked' };
const similar: Named = { id: 2, fit: 'similar' };
const other: Named = { id: 3, fit: 'other' };

describe('what is wanted', () => {
  const wanted = createWanted((things: readonly Named[]) => things);

  it('is there before a call only as asked', () => {
    expect(wanted([similar, other], undefined)).toBeUndefined();
    expect(wanted([similar, asked], undefined)).toBe(asked);
  });
});

describe('what a call has made', () => {
  it.each<[string, { seen: Named[]; before?: Named[]; madeId?: number; id?: number }]>([
    ['has the id of its answer, whatever its name', { seen: [asked, other], madeId: 3, id: 3 }],
    ['is not there while nothing has that id', { seen: [asked], madeId: 9 }],
    ['is what is new and may be it, where the answer was lost', { seen: [similar], id: 2 }],
    ['was not there before', { seen: [similar], before: [similar] }],
    ['is none of several that may be it', { seen: [asked, similar] }],
    ['has not another content', { seen: [other] }],
  ])('%s', (_title, { seen, before = [], madeId, id }) => {
    expect(madeByCall(seen, { before, madeId })?.id).toBe(id);
  });

  it('is nothing before a call has gone out', () => {
    expect(madeByCall([asked], undefined)).toBeUndefined();
  });
});

describe('what was asked for', () => {
  const wanted = createWanted(
    (found: { things: Named[] }) => found.things,
    ({ things }) => things.length === 1,
  );

  it('is what the call has made, but never with another content', () => {
    const sent = { before: { things: [] }, madeId: other.id };
    expect(wanted({ things: [similar, other] }, { ...sent, madeId: similar.id })).toBe(similar);
    expect(wanted({ things: [other] }, sent)).toBeUndefined();
  });

  it('is what is as asked, where that is clear', () => {
    expect(wanted({ things: [asked] }, undefined)).toBe(asked);
    expect(wanted({ things: [asked, similar] }, undefined)).toBeUndefined();
  });
});

describe('a name in another form', () => {
  it.each([
    ['Store-One', 'store-one', true],
    ['a  b ', 'a b', true],
    ['store-1', 'store-1', false],
    ['store-1', 'store1', false],
  ])('%j stored as %j: %s', (given, stored, is) => {
    expect(isOtherForm(given, stored)).toBe(is);
  });
});

describe('the look for what a call has made', () => {
  const lookFor = async (shown: readonly Named[], madeId: number | undefined) => {
    const looks: (number | undefined)[] = [];
    await findMade(
      (id) => {
        looks.push(id);
        return Promise.resolve(shown);
      },
      (found) => found,
      madeId,
    );
    return looks;
  };

  it('goes by the name alone where that shows it', async () => {
    expect(await lookFor([asked], undefined)).toEqual([undefined]);
    expect(await lookFor([asked], asked.id)).toEqual([undefined]);
  });

  it('goes by the id too where the name does not show it', async () => {
    expect(await lookFor([asked], 9)).toEqual([undefined, 9]);
  });
});
