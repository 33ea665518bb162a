import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { faultsBelow, toPath, toPointer } from '../../../src/engine/core/faults.js';

describe('the path of a fault', () => {
  it.each<[readonly PropertyKey[], string]>([
    [[], '(input)'],
    [['instance'], 'instance'],
    [['instance', 'interfaces', 0, 'type'], 'instance.interfaces[0].type'],
    [[0], '[0]'],
    [[0, 1, 'a'], '[0][1].a'],
    [['tags', 'a.b'], 'tags["a.b"]'],
    [['tags', ''], 'tags[""]'],
    [['tags', '0'], 'tags.0'],
    [['tags', 'x\n'], String.raw`tags["x\n"]`],
    [['(input)'], '["(input)"]'],
  ])('of %j is %s', (segments, expected) => {
    expect(toPath(segments)).toBe(expected);
  });

  it('shows the beginning of a long name', () => {
    const path = toPath(['body', 'x'.repeat(60_000), 'a']);

    expect(path).toMatch(/^body\.x{500}…\.a$/);
  });

  it('is put below that of the part which it is about', () => {
    const faults = ['(input)', '[3].op', 'flavor'].map((path) => ({ path, message: 'is wrong' }));
    const rest = { path: '…', message: '7 more faults', count: 7 };

    const below = faultsBelow('instance', [...faults, rest]);

    expect(below.map(({ path }) => path)).toEqual([
      'instance',
      'instance[3].op',
      'instance.flavor',
      '…',
    ]);
  });
});

describe('the JSON Pointer of a path', () => {
  it.each([
    ['(input)', ''],
    ['instance', '/instance'],
    ['instance.volumes[0].size', '/instance/volumes/0/size'],
    ['videos[12]', '/videos/12'],
    ['[3].op', '/3/op'],
    ['instance.tags.a/b', '/instance/tags/a~1b'],
    ['instance.tags.a~b', '/instance/tags/a~0b'],
    ['instance.tags[""]', '/instance/tags/'],
  ])('of %s is %s', (path, pointer) => {
    expect(toPointer(path)).toBe(pointer);
  });

  it('leads to where the path was made, whatever the names are', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a.b', '["x', ']', '(input)'),
    );

    fc.assert(
      fc.property(fc.array(fc.oneof(name, fc.nat())), (segments) => {
        const tokens = segments.map((one) =>
          String(one).replaceAll('~', '~0').replaceAll('/', '~1'),
        );

        expect(toPointer(toPath(segments))).toBe(tokens.map((token) => `/${token}`).join(''));
      }),
    );
  });

  it.each([
    ['a..b]', '/a/..b]'],
    ['[x]', '/[x]'],
    ['tags["a.b…', '/tags/["a.b…'],
    ['tags["\\x"].a', String.raw`/tags/"\x"/a`],
  ])('keeps what is no path: %s', (path, pointer) => {
    expect(toPointer(path)).toBe(pointer);
  });
});
