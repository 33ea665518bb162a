import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import type { VideoItem } from '../../../src/contract/api/streaming.js';
import { isSecretRef } from '../../../src/contract/wire/secret-ref.js';
import { markItems } from '../../../src/activities/videos/mark-items.js';
import { matchVideos } from '../../../src/activities/videos/match-videos.js';
import { NameForm, storedName } from '../../../src/simulator/state/name-form.js';

const toItems = (values: readonly VideoItem[]) =>
  markItems(
    values.map((value, at) => ({ line: at + 1, value })),
    'run batch',
  );

const anyVideo = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c'),
    origin_url: fc.constantFrom<VideoItem['origin_url']>(
      ...['https://h.test/1', 'https://h.test/2'],
      ...[{ $secret: 'one' }, { $secret: 'two' }],
    ),
    client_user_id: fc.constantFrom(1, 2),
  },
  { requiredKeys: ['name'] },
);

/** The contract refuses a number of the caller beside a secret. */
const isAllowed = ({ origin_url: url, client_user_id: own }: VideoItem): boolean =>
  own === undefined || !isSecretRef(url);

/** Whatever a secret holds now, and however often it has changed. */
const shownOf = (url: VideoItem['origin_url'], at: number) =>
  isSecretRef(url) ? `https://user:password@h.test/${at}` : url;

describe('markers of a batch', () => {
  it('are equal for items that differ, and different for items that look alike', () => {
    const items = toItems([{ name: 'a' }, { name: 'b' }, { name: 'a' }, { name: 'a' }]);
    const markers = items.map(({ marker }) => marker);

    expect(markers[0]).toBe(markers[1]);
    expect(new Set(markers).size).toBe(3);
    for (const marker of markers) {
      expect(marker).toBeGreaterThanOrEqual(2 ** 30);
      expect(marker).toBeLessThan(2 ** 31);
    }
  });

  it('are the same in every try, and different in another batch', () => {
    const [first] = toItems([{ name: 'a' }]);
    const [other] = markItems([{ line: 1, value: { name: 'a' } }], 'run other batch');

    expect(toItems([{ name: 'a' }])).toEqual([first]);
    expect(other?.marker).not.toBe(first?.marker);
  });

  it('keep the values of the caller', () => {
    expect(toItems([{ name: 'a', client_user_id: 7 }])).toMatchObject([
      { marker: 7, isOurs: false },
    ]);
  });
});

describe('matching items and videos', () => {
  it('finds exactly the created videos, whatever their order', () => {
    fc.assert(
      fc.property(
        fc.array(anyVideo.filter(isAllowed), { maxLength: 12 }),
        fc.nat(12),
        fc.boolean(),
        (values, cut, hidesOrigin) => {
          const items = toItems(values);
          const made = items.slice(0, cut).map(({ value, marker }, at) => ({
            id: at + 1,
            name: ` ${value.name}`,
            origin_url: hidesOrigin ? null : shownOf(value.origin_url, at),
            client_user_id: marker,
          }));
          const ours = items.every(({ isOurs }) => isOurs);
          fc.pre(ours || !hidesOrigin);
          const { found, missing } = matchVideos(items, [...made].reverse());

          expect(found).toHaveLength(made.length);
          expect(new Set(found.map(({ id }) => id)).size).toBe(made.length);
          expect(missing).toHaveLength(items.length - made.length);
        },
      ),
    );
  });

  it('tells videos of one name apart whose origins are secrets that have changed', () => {
    const origins = [{ $secret: 'one' }, { $secret: 'two' }, 'https://h.test/1'];
    const items = toItems(origins.map((origin_url) => ({ name: 'a', origin_url })));
    const made = items.slice(1).map(({ value, marker }, at) => ({
      id: at + 1,
      name: 'a',
      client_user_id: marker,
      origin_url: shownOf(value.origin_url, at),
    }));

    const { found, missing, unclear } = matchVideos(items, made);

    expect(found.map(({ item, id }) => [item.line, id])).toEqual([
      [2, 1],
      [3, 2],
    ]);
    expect([missing.map(({ line }) => line), unclear]).toEqual([[1], []]);
  });

  it('ignores videos of others', () => {
    const items = toItems([{ name: 'a', client_user_id: 7 }]);
    const strangers = [
      { id: 1, name: 'a', client_user_id: 8 },
      { id: 2, name: 'b', client_user_id: 7 },
    ];

    expect(matchVideos(items, strangers)).toMatchObject({ found: [], unclear: [2] });
  });

  it.each([
    ['differ', { clip_start_seconds: 5 }, [1]],
    ['are equal', {}, []],
  ])(
    'is unclear only when some of several items that look alike and %s have no video',
    (_, change, unclear) => {
      const item = { name: 'a', client_user_id: 7 };
      const items = toItems([item, { ...item, ...change }]);
      const [one, two] = [1, 2].map((id) => ({ ...item, id }));
      if (one === undefined || two === undefined) throw new Error('two');

      expect(matchVideos(items, [one]).unclear).toEqual(unclear);
      expect(matchVideos(items, [one, two]).unclear).toEqual([]);
      expect(matchVideos(items, []).unclear).toEqual([]);
    },
  );
});

const anyText = fc.oneof(
  fc.constantFrom(
    'a',
    'a\u{1F600}b',
    'a\u{1F600}c',
    'e\u0301',
    '\u00e9',
    'a  b',
    ' a b',
    '\u{1F600}',
  ),
  fc.string({ minLength: 1, maxLength: 10 }),
  fc.nat(3).map((end) => `${'x'.repeat(260)}${end}`),
);
const anyItem = fc.record(
  {
    name: anyText,
    origin_url: fc.constantFrom(
      ...['https://h.test/1', 'https://user:password@h.test/1', 'https://h.test/1?token=x'],
      'https://h.test/2',
    ),
  },
  { requiredKeys: ['name'] },
);
/** What an API may make of an origin: the same, one without its secrets, or nothing. */
const anyOrigin = fc.constantFrom<(url: string | null) => string | null>(
  (url) => url,
  (url) => url?.replace('user:password@', '').replace('?token=x', '') ?? null,
  (url) => url?.replace('user:password@', '***@') ?? null,
  () => null,
);

/** Lines, and the videos that a store shows of those that were made. */
const anyStore = fc
  .record({
    values: fc.array(anyItem, { minLength: 1, maxLength: 12 }),
    form: fc.constantFrom(...Object.values(NameForm)),
    shown: anyOrigin,
    order: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
    isMade: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  })
  .map(({ values, form, shown, order, isMade }) => {
    const items = toItems(values);
    const videos = items.map(({ line, marker }, at) => ({
      id: line,
      name: storedName(values[at]?.name ?? '', form),
      origin_url: shown(values[at]?.origin_url ?? null),
      client_user_id: marker,
    }));
    const inAnyOrder = videos
      .map((video, at) => ({ video, by: order[at] ?? 0 }))
      .sort((a, b) => a.by - b.by)
      .map(({ video }) => video);
    return { items, all: inAnyOrder, some: inAnyOrder.filter(({ id }) => isMade[id - 1]) };
  });

describe('matching videos of our marker that were stored in another form', () => {
  it('finds one for each item, in whatever form and order they show', () => {
    fc.assert(
      fc.property(anyStore, ({ items, all }) => {
        const { found, missing, unclear } = matchVideos(items, all);

        expect([missing, unclear]).toEqual([[], []]);
        expect(new Set(found.map(({ id }) => id)).size).toBe(items.length);
      }),
    );
  });

  it('takes no line for missing whose video exists: it says which videos are unclear instead', () => {
    fc.assert(
      fc.property(anyStore, ({ items, some }) => {
        const { found, missing, unclear } = matchVideos(items, some);

        expect(found).toHaveLength(some.length);
        if (unclear.length > 0) return;
        // Of equal lines any may be the missing one.
        const text = ({ value }: { value: unknown }) => JSON.stringify(value);
        const ids = new Set(some.map(({ id }) => id));
        const absent = items.filter(({ line }) => !ids.has(line));
        expect(missing.map(text).sort()).toEqual(absent.map(text).sort());
      }),
      { numRuns: 2_000 },
    );
  });

  it('knows a video by its origin although it has another name', () => {
    const items = toItems(
      ['a', 'b'].map((name) => ({ name, origin_url: `https://h.test/${name}` })),
    );
    const [marker] = items.map((item) => item.marker);
    const row = { id: 1, name: 'Untitled', origin_url: 'https://h.test/b', client_user_id: marker };

    const { found, missing, unclear, unproven } = matchVideos(items, [row]);

    expect(found.map(({ item, id }) => [item.line, id])).toEqual([[2, 1]]);
    expect([missing.map(({ line }) => line), unclear, unproven]).toEqual([[1], [], 1]);
  });

  it('says which videos carry our marker and belong to no line', () => {
    const items = toItems([{ name: 'a' }]);
    const [marker] = items.map((item) => item.marker);
    const rows = [1, 2].map((id) => ({ id, name: 'other', client_user_id: marker }));

    expect(matchVideos(items, rows)).toMatchObject({ missing: [], unclear: [2], unproven: 2 });
  });
});
