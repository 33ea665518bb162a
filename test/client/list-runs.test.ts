import { describe, expect, it } from '@jest/globals';

import { createPageMark } from '../../src/client/list-runs.js';

describe('the mark of a page', () => {
  const mark = createPageMark('one list');
  const token = Buffer.from('token of the server');
  const page = mark.seal(token);

  it('gives the token of the server back, at another gateway too', () => {
    expect([page, Buffer.from(createPageMark('one list').open(page)).toString()]).toEqual([
      expect.stringMatching(/^[\w-]+$/),
      'token of the server',
    ]);
  });

  it('is empty for the first page', () => {
    expect(mark.open(undefined)).toHaveLength(0);
  });

  it.each(['', 'x', page.slice(1), `${page}AAAA`, createPageMark('another').seal(token)])(
    'refuses "%s"',
    (other) => {
      expect(() => mark.open(other)).toThrow('is no page of this list');
    },
  );
});
