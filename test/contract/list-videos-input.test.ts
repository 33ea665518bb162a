import { describe, expect, it } from '@jest/globals';

import { listVideosInputSchema } from '../../src/contract/operations/list-videos.js';
import {
  DEFAULT_VIDEO_FIELDS,
  mostDetailBytes,
  mostVideosInOneRead,
  VIDEO_FIELDS,
} from '../../src/contract/wire/videos.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';

const fields = [...VIDEO_FIELDS];
const MOST = mostVideosInOneRead(fields);

describe('listVideosInputSchema', () => {
  it.each([
    ['one id', { ids: '7001' }],
    ['ids in any order', { ids: '7800 7001-7499' }],
    ['500 ids with the fields of an import', { ids: '7001-7500' }],
    ['500 ids and nothing of them', { ids: '7001-7500', fields: [] }],
    ['as many as fit with all fields', { ids: `1-${MOST}`, fields }],
    ['the longest ids', { ids: idsFrom(999_999_999_000) }],
  ])('accepts %s', (_title, input) => {
    const parsed = parseInput(listVideosInputSchema, input);

    expect(parsed).toEqual({ ok: true, value: input });
  });

  it.each<[string, unknown, string, RegExp]>([
    ['no ids', {}, 'ids', /missing/],
    ['an empty text', { ids: '' }, 'ids', /ids and ranges/],
    ['a comma', { ids: '1,2' }, 'ids', /ids and ranges/],
    ['an id of nothing', { ids: '0' }, 'ids', /ids and ranges/],
    ['ids that are no text', { ids: [1] }, 'ids', /must be a text/],
    ['a range that runs backwards', { ids: '1 9-3' }, 'ids', /range 9-3, .* lower id/],
    ['a range that hides too many', { ids: '1-501 600-1' }, 'ids', /range 600-1/],
    ['an id twice', { ids: '5 1-7' }, 'ids', /an id twice/],
    ['501 ids', { ids: '1-501' }, 'ids', /names 501 videos, .* takes 500 .* in parts/],
    ['a thousand million ids', { ids: '1-999999999' }, 'ids', /999999999 videos/],
    ['a text of megabytes', { ids: '1 '.repeat(1e6) }, 'ids', /at most 8000 characters/],
    [
      'more than fit with all fields',
      { ids: `1-${MOST + 1}`, fields },
      'ids',
      /one read takes 1\d\d/,
    ],
    ['a field that is not shown', { ids: '1', fields: ['origin_url'] }, 'fields[0]', /one of/],
    ['a project', { ids: '1', projectId: 1 }, 'projectId', /not a known field/],
  ])('refuses %s', (_title, input, ...[path, message]) => {
    const parsed = parseInput(listVideosInputSchema, input);

    const faults = parsed.ok ? [] : parsed.faults;
    expect(faults).toEqual([{ path, message: expect.stringMatching(message) }]);
  });
});

describe('mostVideosInOneRead', () => {
  it('is what fits into a result, and never more than a URL holds', () => {
    expect(mostVideosInOneRead([])).toBe(500);
    expect(mostVideosInOneRead(DEFAULT_VIDEO_FIELDS)).toBe(500);
    expect(MOST * mostDetailBytes(fields)).toBeLessThanOrEqual(1_000_000);
    expect(mostVideosInOneRead([...fields, ...fields])).toBe(MOST);
  });
});

/** 500 ids without neighbours, which no range shortens. */
function idsFrom(first: number): string {
  return Array.from({ length: 500 }, (_, at) => first + 2 * at).join(' ');
}
