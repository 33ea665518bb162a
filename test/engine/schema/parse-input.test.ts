import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { formatFaults } from '../../../src/engine/core/faults.js';
import { parseInput } from '../../../src/engine/schema/parse-input.js';

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

  it('names the first twenty of many faults, and counts the others', () => {
    const keys = Array.from({ length: 4_000 }, (_, at) => [`k${at}`, 1]);
    const list = Array.from({ length: 3_000 }, () => ({ on: 1 }));

    const unknown = parseInput(schema, { count: 1, ...Object.fromEntries(keys) });
    const wrong = parseInput(schema, { count: '1', list });

    expect(unknown).toMatchObject({ faults: { length: 21, 20: { count: 3_980 } } });
    expect(wrong).toMatchObject({ faults: { length: 21, 20: { count: 2_981 } } });
  });

  it('asks a rule once that says itself what is wrong: it may look for thousands of faults', () => {
    let asked = 0;
    const schema = z.looseObject({}).superRefine((_, context) => {
      asked += 1;
      context.addIssue({ code: 'custom', path: ['a'], message: 'is a secret' });
    });

    expect(parseInput(schema, {})).toEqual({
      ok: false,
      faults: [{ path: 'a', message: 'is a secret' }],
    });
    expect(asked).toBe(1);
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
