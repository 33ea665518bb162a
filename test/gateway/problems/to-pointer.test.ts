import { describe, expect, it } from '@jest/globals';

import { toPointer } from '../../../src/gateway/problems/to-pointer.js';

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
    expect(toPointer(path, {})).toBe(pointer);
  });

  it('takes a name with dots and brackets as one, when the document has it', () => {
    const document = { tags: { 'a.b[0]': 1, a: { b: 2 } } };

    expect(toPointer('tags.a.b[0]', document)).toBe('/tags/a.b[0]');
    expect(toPointer('tags.a.c', document)).toBe('/tags/a/c');
  });

  it('ends for a path that no document has', () => {
    expect(toPointer('a..b]', {})).toBe('/a/.b]');
    expect(toPointer('[x]', null)).toBe('/[x]');
  });
});
