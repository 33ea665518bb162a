import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { isCallPattern, isCloudPath, isListed } from '../../src/contract/wire/api-calls.js';
import { isPointer, valueAt } from '../../src/contract/wire/json-pointer.js';

const BASE = 'https://proxy.example.test/gcore';
const PATTERNS = ['POST /cloud/v1/volumes/*/*', 'GET /cloud/v1/networks/1/2/*'];

/** What readers of URLs take apart, decode or drop. */
const ODD =
  '/ . .. // \\ ? # % @ : ; * + & = %2e %2E%2e %2f %5c %00 \r \n \t \u2025 \uff0f \uff0e'.split(
    ' ',
  );
const WORDS = ['cloud', 'v1', 'volumes', 'networks', '1', '2', 'a.b', '~', 'storage', 'evil.test'];

/** What somebody tries who wants out of the list: one segment, or several. */
const segment = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.array(fc.constantFrom(...WORDS, ...ODD), { maxLength: 4 }).map((parts) => parts.join('')),
  fc.string({ maxLength: 4 }),
);
const attempts = fc
  .tuple(fc.constantFrom('', '/cloud/v1', '/cloud/v1/volumes/1', '/cloud/v1/networks/1/2'), segment)
  .map(([start, rest]) => `${start}/${rest}`);

describe('the paths that callApi may call', () => {
  it('reach the API as they were judged, at its host and below the cloud', () => {
    let passed = 0;
    fc.assert(
      fc.property(attempts, fc.constantFrom('POST', 'GET'), (path, method) => {
        if (!isListed(PATTERNS, { method, path })) return;
        passed += 1;
        const { host, pathname, search, hash } = new URL(`${BASE}${path}`);
        const [, ...segments] = path.split('/');

        expect(new URL(path, BASE).href).toBe(`https://proxy.example.test${path}`);
        expect([host, pathname, search, hash]).toEqual([
          'proxy.example.test',
          `/gcore${path}`,
          '',
          '',
        ]);
        expect(segments).toHaveLength(method === 'POST' ? 5 : 6);
        expect(segments[2]).toBe(method === 'POST' ? 'volumes' : 'networks');
      }),
      { numRuns: 3_000 },
    );
    expect(passed).toBeGreaterThan(100);
  });

  it.each([
    ['/cloud/v1/../storage/v4/ssh_keys'],
    ['/cloud/v1/%2e%2e/x'],
    ['/cloud/v1/x/.'],
    ['//evil.test/cloud/v1/x'],
    ['/cloud/v1//x'],
    ['/cloud/v1/x/'],
    ['/cloud\\v1\\x'],
    ['/cloud/v1/x?y=1'],
    ['/cloud/v1/x#y'],
    ['/cloud/v1/x\n'],
    ['/cloud/v1/x\r\nHost: evil.test'],
    ['/cloud/v1/\uff0e\uff0e/x'],
    ['/cloud/v1/é'],
    ['/cloud/v1/*'],
    ['https://evil.test/cloud/v1/x'],
    ['/clouds/v1/x'],
    ['/cloud/x'],
    [`/cloud/v1/${'x'.repeat(500)}`],
  ])('are none like %j', (path) => {
    expect(isCloudPath(path)).toBe(false);
  });

  it.each([
    ['the method', { method: 'PATCH', path: '/cloud/v1/volumes/1/2' }],
    ['the number of segments', { method: 'POST', path: '/cloud/v1/volumes/1/2/3' }],
    ['a segment that is no star', { method: 'GET', path: '/cloud/v1/networks/1/3/x' }],
    ['the version', { method: 'POST', path: '/cloud/v2/volumes/1/2' }],
  ] as const)('differ from the list by %s', (_what, call) => {
    expect(isListed(PATTERNS, call)).toBe(false);
  });

  it('are none without a list', () => {
    expect(isListed([], { method: 'POST', path: '/cloud/v1/volumes/1/2' })).toBe(false);
  });

  it.each([['POST /cloud/v1/*'], ['DELETE /cloud/v2/a/*/b-c']])('may be listed as %j', (text) => {
    expect(isCallPattern(text)).toBe(true);
  });

  it.each([['POST /cloud/v1/**'], ['* /cloud/v1/x'], ['POST /cloud/*/x'], ['POST /streaming/*']])(
    'may not be listed as %j',
    (text) => {
      expect(isCallPattern(text)).toBe(false);
    },
  );
});

describe('a JSON Pointer', () => {
  const DOCUMENT = { results: [{ 'a/b': 1, 'm~n': 2, '': 3 }], toString: undefined };

  it.each([
    ['/results/0/a~1b', 1],
    ['/results/0/m~0n', 2],
    ['/results/0/', 3],
    ['/results/00', undefined],
    ['/results/-', undefined],
    ['/results/length', undefined],
    ['/results/0/constructor', undefined],
    ['/results/0/a~1b/x', undefined],
  ])('%s finds %j', (pointer, value) => {
    expect(isPointer(pointer)).toBe(true);
    expect(valueAt(DOCUMENT, pointer)).toBe(value);
  });

  it('of nothing is the whole document', () => {
    expect(valueAt(DOCUMENT, '')).toBe(DOCUMENT);
    expect(isPointer('/a~2')).toBe(false);
  });
});
