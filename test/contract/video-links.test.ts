import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { videoLinks } from '../../src/contract/index.js';

const AT = 'https://media.example/videos/7_aB3xY';
const VIDEO = {
  hls_url: `${AT}/master.m3u8`,
  dash_url: `${AT}/master.mpd`,
  iframe_url: 'https://player.example/videos/7_aB3xY',
};

describe('the links of a video', () => {
  it('are those of the API without options', () => {
    expect(videoLinks(VIDEO)).toEqual({
      hls: VIDEO.hls_url,
      dash: VIDEO.dash_url,
      player: VIDEO.iframe_url,
    });
  });

  it.each([
    [{ max: 480 }, 'master-max-480.m3u8', 'master-max-480.mpd'],
    [
      { min: 320, max: 320, codec: 'h264' },
      'master-min-320-max-320-h264.m3u8',
      'master-min-320-max-320-h264.mpd',
    ],
    [{ cmaf: true, image: true, codec: 'av1' }, 'master-cmaf-img-av1.m3u8', 'master-av1.mpd'],
    [{ cmaf: true, min: 360, image: true }, 'master-cmaf-min-360-img.m3u8', 'master-min-360.mpd'],
  ] as const)('have the options %j in the documented order', (options, hls, dash) => {
    expect(videoLinks(VIDEO, options)).toMatchObject({
      hls: `${AT}/${hls}`,
      dash: `${AT}/${dash}`,
    });
  });

  it.each([
    [{ subtitle: 'de' }, '?sub_lang=de'],
    [{ lowLatency: false }, '?no_low_latency'],
    [{ subtitle: 'de', lowLatency: false }, '?sub_lang=de&no_low_latency'],
    [{ lowLatency: true }, ''],
  ])('tell the player %j', (options, query) => {
    expect(videoLinks(VIDEO, options).player).toBe(VIDEO.iframe_url + query);
  });

  it('keep the query that a signed URL has', () => {
    const hls_url = `${VIDEO.hls_url}?token=abc&expires=9`;

    expect(videoLinks({ hls_url }, { max: 480 })).toEqual({
      hls: `${AT}/master-max-480.m3u8?token=abc&expires=9`,
    });
  });

  it('lack what is not there yet', () => {
    expect(videoLinks({ hls_url: null, dash_url: '' })).toEqual({});
  });

  it('name every wrong option', () => {
    expect(() => videoLinks(VIDEO, { min: 720, max: 480, subtitle: 'deu' })).toThrow(
      /subtitle: must be a language code of two letters/,
    );
    expect(() => videoLinks(VIDEO, { min: 720, max: 480 })).toThrow(/min: must not be above "max"/);
  });

  it.each(['media-1.m3u8', 'master-max-480.m3u8', 'index.m3u8'])(
    'are not made from a manifest that is not documented: %s',
    (file) => {
      expect(() => videoLinks({ hls_url: `${AT}/${file}` })).toThrow(
        /not the documented …\/master/,
      );
    },
  );

  it('never name another manifest than master with documented options', () => {
    const heights = fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined });
    const options = fc.record(
      {
        min: heights,
        max: heights,
        codec: fc.constantFrom('h264', 'hevc', 'av1'),
        cmaf: fc.boolean(),
        image: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(options, (given) => {
        fc.pre((given.min ?? 0) <= (given.max ?? Infinity));
        const { hls, dash } = videoLinks(VIDEO, given);
        expect(hls).toMatch(
          /\/master(-cmaf)?(-min-\d+)?(-max-\d+)?(-img)?(-(h264|hevc|av1))?\.m3u8$/,
        );
        expect(dash).toMatch(/\/master(-min-\d+)?(-max-\d+)?(-(h264|hevc|av1))?\.mpd$/);
      }),
    );
  });
});
