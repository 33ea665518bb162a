import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { formatFaults, parseInput, toPath } from '../../src/contract/parse-input.js';

describe('toPath', () => {
  it.each<[readonly PropertyKey[], string]>([
    [[], '(input)'],
    [['instance'], 'instance'],
    [['instance', 'interfaces', 0, 'type'], 'instance.interfaces[0].type'],
    [[0], '[0]'],
    [[0, 1, 'a'], '[0][1].a'],
    [['tags', 'a.b'], 'tags.a.b'],
    [['tags', '0'], 'tags.0'],
  ])('writes %j as %s', (segments, expected) => {
    const path = toPath(segments);

    expect(path).toBe(expected);
  });
});

describe('parseInput', () => {
  const schema = z.strictObject({
    count: z.number(),
    labels: z.record(z.string().regex(/^[a-z]$/, { error: 'one letter' }), z.string()).optional(),
    list: z.array(z.strictObject({ on: z.boolean() })).optional(),
  });

  it('returns the parsed value with defaults and conversions', () => {
    const parsed = parseInput(z.object({ n: z.string().default('d') }), {});

    expect(parsed).toEqual({ ok: true, value: { n: 'd' } });
  });

  it('says "is missing" for a missing field and names the type for a wrong one', () => {
    const missing = parseInput(schema, {});
    const wrong = parseInput(schema, { count: '1' });

    expect(missing).toEqual({ ok: false, faults: [{ path: 'count', message: 'is missing' }] });
    expect(wrong).toEqual({
      ok: false,
      faults: [{ path: 'count', message: 'must be a number' }],
    });
  });

  it('gives each unknown key its own path', () => {
    const parsed = parseInput(schema, {
      count: 1,
      cuont: 2,
      lost: 3,
      list: [{ on: true, off: false }],
    });

    const message = 'is not a known field: check the spelling or remove it';
    expect(parsed).toEqual({
      ok: false,
      faults: [
        { path: 'list[0].off', message },
        { path: 'cuont', message },
        { path: 'lost', message },
      ],
    });
  });

  it('names the rule that a key of a map breaks', () => {
    const parsed = parseInput(schema, { count: 1, labels: { AB: 'x' } });

    expect(parsed).toEqual({ ok: false, faults: [{ path: 'labels.AB', message: 'one letter' }] });
  });

  it('gives the same fault of one path only once', () => {
    const twice = z
      .unknown()
      .refine(() => false, { error: 'no' })
      .refine(() => false, { error: 'no' });

    const parsed = parseInput(twice, 1);

    expect(parsed).toEqual({ ok: false, faults: [{ path: '(input)', message: 'no' }] });
  });
});

describe('formatFaults', () => {
  it('writes one line per fault', () => {
    const faults = [
      { path: 'a', message: 'is missing' },
      { path: 'b[0]', message: 'must be a UUID' },
    ];

    const text = formatFaults(faults);

    expect(text).toBe('  a: is missing\n  b[0]: must be a UUID');
  });
});
