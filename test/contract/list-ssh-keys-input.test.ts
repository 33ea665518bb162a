import { describe, expect, it } from '@jest/globals';

import {
  listSshKeysInputSchema,
  listSshKeysResultSchema,
} from '../../src/contract/operations/list-ssh-keys.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';

describe('listSshKeysInputSchema', () => {
  it.each([
    ['nothing', {}],
    [
      'every field',
      { account: 'team-2', name: 'ingest', onBlocked: 'fail', deadline: '30 minutes' },
    ],
    ['an order and a part', { orderBy: 'name.desc', offset: 0, limit: 10 }],
    ['the longest name', { name: 'k'.repeat(128) }],
  ])('accepts %s', (_title, input) => {
    const parsed = parseInput(listSshKeysInputSchema, input);

    expect(parsed).toEqual({ ok: true, value: input });
  });

  it.each<[string, unknown, string, RegExp]>([
    ['null', null, '(input)', /must be an object/],
    ['an empty name', { name: '' }, 'name', /must not be empty/],
    ['a name that no key can have', { name: 'k'.repeat(129) }, 'name', /at most 128/],
    ['a name that is no text', { name: 7 }, 'name', /must be a text/],
    ['a deadline without a unit', { deadline: '30' }, 'deadline', /./],
    ['another onBlocked', { onBlocked: 'ignore' }, 'onBlocked', /^must be one of wait, fail$/],
    [
      'a project, which storage keys have none of',
      { projectId: 1 },
      'projectId',
      /not a known field/,
    ],
    ['a region', { regionId: 1 }, 'regionId', /not a known field/],
    ['onFailure, where nothing is made', { onFailure: 'keep' }, 'onFailure', /not a known field/],
    ['a page of nothing', { limit: 0 }, 'limit', /at least 1/],
    ['an order that the API does not have', { orderBy: 'size.asc' }, 'orderBy', /must be one of/],
  ])('refuses %s', (_title, input, ...[path, message]) => {
    const parsed = parseInput(listSshKeysInputSchema, input);

    const faults = parsed.ok ? [] : parsed.faults;
    expect(faults).toEqual([{ path, message: expect.stringMatching(message) }]);
  });
});

describe('listSshKeysResultSchema', () => {
  it('has every documented field of a key under the names of this product', () => {
    const key = { id: 5, name: 'k', publicKey: 'ssh-ed25519 A', createdAt: '2026-07-13T16:41:35Z' };

    const parsed = listSshKeysResultSchema.parse({
      keys: [{ ...key, private: 'x' }],
      count: 1,
      total: 1,
    });

    expect(parsed).toEqual({ keys: [key], count: 1, total: 1 });
  });
});
