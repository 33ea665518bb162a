import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { grantSftpAccessInputSchema } from '../../src/contract/operations/grant-sftp-access.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';

const INPUT = { storageId: 7, keyNames: ['ingest', 'audit_2'] };

describe('the input of grantSftpAccess', () => {
  it('accepts the example', () => {
    const text = readFileSync('examples/grant-sftp-access.json', 'utf8');

    expect(parseInput(grantSftpAccessInputSchema, JSON.parse(text))).toMatchObject({ ok: true });
  });

  it.each([
    INPUT,
    { ...INPUT, projectId: 1, account: 'blue', onFailure: 'keep', onBlocked: 'fail' },
    { ...INPUT, deadline: '5 minutes' },
  ])('accepts %j', (input) => {
    expect(parseInput(grantSftpAccessInputSchema, input)).toEqual({ ok: true, value: input });
  });

  it.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['(input)']],
    ['no field', {}, ['storageId', 'keyNames']],
    ['a storage by its name', { ...INPUT, storageId: 'films' }, ['storageId']],
    ['no names', { ...INPUT, keyNames: [] }, ['keyNames']],
    ['six names', { ...INPUT, keyNames: 'abcdef'.split('') }, ['keyNames']],
    ['a name twice', { ...INPUT, keyNames: ['a', 'b', 'a'] }, ['keyNames[2]']],
    ['names that no key has', { ...INPUT, keyNames: ['', 'a b'] }, ['keyNames[0]', 'keyNames[1]']],
    ['an id instead of a name', { ...INPUT, keyNames: [5] }, ['keyNames[0]']],
    ['a name that is too long', { ...INPUT, keyNames: ['k'.repeat(129)] }, ['keyNames[0]']],
    ['a field that there is not', { ...INPUT, regionId: 1 }, ['regionId']],
    ['the field of the API', { ...INPUT, ssh_key_ids: [1] }, ['ssh_key_ids']],
  ])('refuses %s', (_, input, paths) => {
    const parsed = parseInput(grantSftpAccessInputSchema, input);

    expect(parsed.ok ? [] : parsed.faults.map(({ path }) => path)).toEqual(paths);
  });
});
