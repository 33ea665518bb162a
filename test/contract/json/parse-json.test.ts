import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { formatJsonFault, parseJson } from '../../../src/contract/parse-json.js';
import { countValues } from '../../../src/engine/core/faults.js';
import { leastCpuMs } from '../../support/timing/least-cpu-ms.js';

function faultOf(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.ok ? undefined : parsed.fault;
}

describe('parseJson', () => {
  it('gives what JSON.parse gives, for all JSON without a name twice', () => {
    const written = fc
      .jsonValue()
      .chain((value) =>
        fc.constantFrom(0, 2).map((spaces) => JSON.stringify(value, undefined, spaces)),
      );

    fc.assert(
      fc.property(written, (text) => {
        const value: unknown = JSON.parse(text);

        expect(parseJson(text)).toEqual({ ok: true, value });
      }),
    );
  });

  it('finds a name that is there twice, wherever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.string(), (value, name) => {
        const pair = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;

        expect(faultOf(`[{"outer": {${pair}, ${pair}}}]`)).toMatchObject({
          path: [0, 'outer', name],
          message: 'is there twice',
        });
      }),
    );
  });

  it.each([
    ['in another spelling', '{"a": 1, "\\u0061": 2}', ['a'], [1, 10]],
    ['that is no ordinary name', '{"__proto__": 1,\n"__proto__": 2}', ['__proto__'], [2, 1]],
    ['the first of several', '{"a": {"b": 1, "b": 2}, "a": 3}', ['a', 'b'], [1, 16]],
  ])('says where it is there the second time: %s', (...[, text, path, [line, column]]) => {
    expect(faultOf(text)).toEqual({ path, line, column, message: 'is there twice' });
  });

  it.each([
    ['colons and brackets in a text', '{"a:{[": ":\\":}"}'],
    ['one name in two objects', '[{"a": 1}, {"a": {"a": 2}}]'],
  ])('is not misled by %s', (_what, text) => {
    const value: unknown = JSON.parse(text);

    expect(parseJson(text)).toEqual({ ok: true, value });
  });

  it('says where a text is not JSON, and quotes nothing', () => {
    const parsed = parseJson('{"password": hunter2}');

    expect(parsed).toMatchObject({ ok: false, isJson: false, fault: { line: 1, column: 14 } });
    expect(JSON.stringify(parsed)).not.toContain('hunter2');
    expect(parsed.ok ? '' : formatJsonFault(parsed)).toBe('is not JSON: line 1, column 14');
  });

  it('refuses what is so deep that a parser runs out of stack', () => {
    expect(faultOf('['.repeat(1_000_000))).toMatchObject({
      message: 'is nested more than 100 levels deep',
    });
  });

  it('counts nothing that stands in a text', () => {
    const marks = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ':', '}', ']', 'a') });
    const written = fc.array(fc.tuple(marks, marks)).map((pairs) => Object.fromEntries(pairs));

    fc.assert(
      fc.property(written, (value) => {
        expect(parseJson(JSON.stringify(value))).toEqual({ ok: true, value });
      }),
    );
    expect(parseJson(JSON.stringify('['.repeat(200)))).toMatchObject({ ok: true });
  });

  it('refuses by their number only what has more values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const maxValues = countValues(value);

        expect(parseJson(JSON.stringify(value), { maxValues })).toMatchObject({ ok: true });
      }),
    );
    expect(parseJson('[1, 2, 3, 4, 5]', { maxValues: 3 })).toMatchObject({ ok: false });
    expect(parseJson('["1,2,3,4"]', { maxValues: 1 })).toMatchObject({ ok: true });
  });

  it.each([
    ['many names', `{${Array.from({ length: 150_000 }, (_, at) => `"k${at}":1`).join()}}`],
    ['one name very often', `{${Array.from({ length: 300_000 }, () => '"a":1').join()}}`],
    ['no JSON at all', '}'.repeat(2_000_000)],
    ['one long text', JSON.stringify('\\"'.repeat(500_000))],
    ['one text of backslashes', JSON.stringify('\\'.repeat(1_000_000))],
    ['many ends of a text', '\\"'.repeat(1_000_000)],
  ])('takes a price that grows with the size only: 2 MB of %s', async (_what, text) => {
    expect(await leastCpuMs(4_000, () => parseJson(text))).toBeLessThan(4_000);
  });
});
