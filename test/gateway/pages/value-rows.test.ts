import { describe, expect, it } from '@jest/globals';

import { rowsOf } from '../../../src/gateway/pages/value-rows.js';

describe('the values of a result', () => {
  it('begin with addresses, links and ids, and leave out what the page shows elsewhere', () => {
    const { shown, more } = rowsOf({
      name: 'web-1',
      instanceId: '8942f0cf',
      regionId: 1,
      page: 'https://portal.example/i',
      addresses: [{ address: '203.0.113.7', network: null }],
      ledger: [{ name: 'create' }],
    });

    expect(shown.map(({ path, text, isId, isLink }) => [path, text, isId, isLink])).toEqual([
      ['addresses[0].address', '203.0.113.7', true, false],
      ['page', 'https://portal.example/i', false, true],
      ['instanceId', '8942f0cf', true, false],
      ['name', 'web-1', false, false],
      ['regionId', '1', false, false],
    ]);
    expect(more).toBe(0);
  });

  it.each(['javascript:alert(1)', 'http://plain.example', 'https://a.example/ b', 'https://['])(
    'make no link of %s',
    (text) => {
      expect(rowsOf({ text }).shown).toMatchObject([{ text, isLink: false }]);
    },
  );

  it('are counted where they are too many, and cut where they are too long', () => {
    const { shown, more } = rowsOf({
      text: 'x'.repeat(5_000),
      list: Array.from({ length: 100 }, String),
    });

    expect(shown).toHaveLength(24);
    expect(more).toBe(77);
    expect(shown[0]?.text.length).toBeLessThan(501);
  });
});
