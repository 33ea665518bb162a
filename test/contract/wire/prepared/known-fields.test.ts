import { describe, expect, it } from '@jest/globals';

import { PREPARED_FIELDS } from '../../../../src/contract/wire/prepared.js';
import { unknownFields } from '../../../../src/engine/core/prepared-run.js';
import { DEFAULT_POLL_POLICY } from '../../../../src/contract/wire/tasks.js';

const known = PREPARED_FIELDS.protectIp;
const policy = { poll: DEFAULT_POLL_POLICY, reconcileGraceMs: 1, searchAttributes: true };

describe('unknownFields', () => {
  it('finds none in what this version records', () => {
    expect(unknownFields({ account: 'blue', policy, holdForMs: 1 }, known)).toEqual([]);
  });

  it('names a field of every depth', () => {
    const poll = {
      ...DEFAULT_POLL_POLICY,
      typical: { create_vm: { firstMs: 1, usualMs: 1, hurries: true } },
      newPoll: 1,
    };

    const found = unknownFields({ policy: { ...policy, poll, newPolicy: 1 }, newField: 0 }, known);

    expect(found).toEqual([
      'policy.poll.typical.create_vm.hurries',
      'policy.poll.newPoll',
      'policy.newPolicy',
      'newField',
    ]);
  });

  it('leaves alone what callers choose, and names that are data', () => {
    const typical = { toString: { firstMs: 1, usualMs: 1 } };
    const poll = { ...DEFAULT_POLL_POLICY, typical };

    expect(unknownFields({ profile: { anything: 1 }, policy: { ...policy, poll } }, known)).toEqual(
      [],
    );
  });

  it('takes no inherited name for a known one', () => {
    expect(unknownFields({ constructor: 1, toString: 1 }, known)).toEqual([
      'constructor',
      'toString',
    ]);
  });

  it('finds nothing where nothing was handed over', () => {
    expect(unknownFields(undefined, known)).toEqual([]);
    expect(unknownFields({ account: undefined, newField: undefined }, known)).toEqual([]);
  });
});
