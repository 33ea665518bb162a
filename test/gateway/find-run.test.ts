import { describe, expect, it } from '@jest/globals';

import type { Operation } from '../../src/contract/index.js';
import { mayUse } from '../../src/gateway/find-run.js';

const callerOf = (operations: readonly Operation[]) => ({ name: 'a', scopes: [], operations });
const run = { operation: 'deleteInstance', account: 'blue' } as const;
const part = { ...run, partOf: 'replace-instance/blue/web' } as const;
const batch = { operation: 'runBatch', account: 'blue' } as const;

describe('what a token may know of', () => {
  it.each<[string, readonly Operation[], Parameters<typeof mayUse>[1], boolean]>([
    ['a run of its operation', ['deleteInstance'], run, true],
    ['a run of another one', ['protectIp'], run, false],
    ['a part, when it may use the part alone', ['deleteInstance'], part, false],
    ['a part, when it may use the whole alone', ['replaceInstance'], part, false],
    ['a part, when it may use both', ['replaceInstance', 'deleteInstance'], part, true],
    [
      'a part of a run that a caller has named',
      ['replaceInstance', 'deleteInstance'],
      { ...run, partOf: 'my-order' },
      false,
    ],
    ['a batch', ['runBatch'], { ...batch, batchOf: 'deleteInstance' }, false],
    [
      'a batch, when it may use its items too',
      ['runBatch', 'deleteInstance'],
      { ...batch, batchOf: 'deleteInstance' },
      true,
    ],
    ['a batch of which nobody knows what it does', ['runBatch', 'deleteInstance'], batch, false],
  ])('%s', (...[, operations, seen, expected]) => {
    expect(mayUse(callerOf(operations), seen)).toBe(expected);
    expect(mayUse({ name: 'all', scopes: [] }, seen)).toBe(true);
    expect(mayUse({ name: 'other', scopes: [], accounts: ['red'] }, seen)).toBe(false);
  });
});
