import { describe, expect, it } from '@jest/globals';

import { shapeFaults } from '../../src/engine/core/faults.js';
import { parseStrictJson } from '../../src/gateway/read-body.js';
import {
  matchesTag,
  parseIdempotencyKey,
  parseWait,
  runIdOf,
  runPath,
} from '../../src/gateway/read-request.js';
import { tagOf } from '../../src/gateway/status-board.js';

describe('wait=', () => {
  it.each([
    [undefined, 0],
    ['0', 0],
    ['30s', 30_000],
    ['55 seconds', 55_000],
  ])('takes %s', (text, ms) => {
    expect(parseWait(text)).toEqual({ ok: true, ms });
  });

  it.each(['30', '56s', '-1s', 'soon', '1 year', ''])('refuses "%s"', (text) => {
    expect(parseWait(text)).toMatchObject({ ok: false });
  });
});

describe('an entity tag', () => {
  const tag = tagOf('{}');

  it.each([`"${tag}"`, `W/"${tag}"`, `"other", "${tag}"`, '*'])('matches %s', (header) => {
    expect(matchesTag(header, tag)).toBe(true);
  });

  it.each([undefined, '""', tag, `"${tag}x"`])('does not match %s', (header) => {
    expect(matchesTag(header, tag)).toBe(false);
  });

  it('depends on the text alone', () => {
    expect([tagOf('{}'), tagOf('{ }')]).toEqual([tag, expect.not.stringMatching(tag)]);
  });
});

describe('an Idempotency-Key', () => {
  it.each([
    ['order-4711', 'order-4711'],
    ['"order-4711"', 'order-4711'],
    ['a/b', 'a/b'],
  ])('%s is the request %s', (header, id) => {
    expect(parseIdempotencyKey(header)).toBe(id);
  });

  it.each([undefined, '', '""', 'a b', 'é', 'a'.repeat(256)])('refuses %s', (header) => {
    expect(() => parseIdempotencyKey(header)).toThrow('outside of its body');
  });
});

describe('the id of a run in a path', () => {
  it.each([
    'provision-instance/default/order-4711',
    'a/../b',
    '100%',
    'a%2Fb',
    'ä ö?#&=+',
    'plan/x/y/z@0123abcd',
    '日本',
  ])('%s comes back as it was', (id) => {
    expect(runIdOf(`http://localhost${runPath(id)}/result`)).toBe(id);
  });

  it.each(['%ff', '%zz', '%00', 'a'.repeat(1_001), 'a%0Ab'])('refuses %s', (segment) => {
    expect(() => runIdOf(`http://localhost/v1/runs/${segment}`)).toThrow('The id in the path');
  });
});

const TOO_MANY =
  'has more than 40000 values: write a long list to a file, and name it as the manifest';

describe('strict JSON', () => {
  it.each([
    ['{"a":1,"a":2}', '/a', 'is there twice'],
    ['{"x":[{"a/b":1,"a/b":2}]}', '/x/0/a~1b', 'is there twice'],
    ['{"a":1,"\\u0061":2}', '/a', 'is there twice'],
    ['{"a":1,}', '', 'is not JSON: line 1, column 8'],
    ['// x\n{}', '', 'is not JSON: line 1, column 1'],
    ['', '', 'is not JSON: line 1, column 1'],
    ['{"a":"\t"}', '', 'is not JSON: line 1, column 6'],
    ['{} {}', '', 'is not JSON: line 1, column 4'],
    ['['.repeat(101) + ']'.repeat(101), '', 'is nested more than 100 levels deep'],
    ['['.repeat(2_000_000), '', 'is nested more than 100 levels deep'],
    [`[${'1,'.repeat(40_001)}1]`, '', TOO_MANY],
    // Told before anybody sees that it is no JSON.
    [','.repeat(2_000_000), '', TOO_MANY],
  ])('refuses %#', (text, pointer, message) => {
    expect(parseStrictJson(text)).toEqual({ ok: false, fault: { pointer, message } });
  });

  it('takes everything else as JSON.parse does', () => {
    const value = { a: [{ a: '}{]["', b: null }], b: -1.5e3 };

    expect(parseStrictJson(JSON.stringify(value))).toEqual({ ok: true, value });
  });

  it('takes all that an input may have', () => {
    const values = Array<unknown>(40_000).fill(1);

    expect(shapeFaults(values)).toEqual([]);
    expect(parseStrictJson(JSON.stringify(values))).toMatchObject({ ok: true });
  });

  it('takes a text of a million characters', () => {
    const text = JSON.stringify(['",\\'.repeat(400_000)]);

    expect(parseStrictJson(text)).toMatchObject({ ok: true });
  });
});
