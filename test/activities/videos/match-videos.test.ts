import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import type { VideoItem } from '../../../src/contract/api/video-item.js';
import { isSecretRef } from '../../../src/contract/secret-ref.js';
import { markItems } from '../../../src/activities/videos/mark-items.js';
import { matchVideos } from '../../../src/activities/videos/match-videos.js';

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
      ...{ id: at + 1, name: 'a', client_user_id: marker },
      origin_url: shownOf(value.origin_url, at),
    }));

    const { found, missing, isAmbiguous } = matchVideos(items, made);

    expect(found.map(({ item, id }) => [item.line, id])).toEqual([
      [2, 1],
      [3, 2],
    ]);
    expect([missing.map(({ line }) => line), isAmbiguous]).toEqual([[1], false]);
  });

  it('ignores videos of others', () => {
    const items = toItems([{ name: 'a', client_user_id: 7 }]);
    const strangers = [
      { id: 1, name: 'a', client_user_id: 8 },
      { id: 2, name: 'b', client_user_id: 7 },
      { id: 3, name: 'a', client_user_id: 7, origin_url: 'https://h.test/x' },
    ];

    expect(matchVideos(items, strangers)).toMatchObject({ found: [], isAmbiguous: false });
  });

  it.each([
    ['differ', { clip_start_seconds: 5 }, true],
    ['are equal', {}, false],
  ])(
    'is ambiguous only when some of several items that look alike and %s have no video',
    (_, change, is) => {
      const item = { name: 'a', client_user_id: 7 };
      const items = toItems([item, { ...item, ...change }]);
      const [one, two] = [1, 2].map((id) => ({ ...item, id }));
      if (one === undefined || two === undefined) throw new Error('two');

      expect(matchVideos(items, [one]).isAmbiguous).toBe(is);
      expect(matchVideos(items, [one, two]).isAmbiguous).toBe(false);
      expect(matchVideos(items, []).isAmbiguous).toBe(false);
    },
  );
});
