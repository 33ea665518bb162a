import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { classOfCall } from '../../../src/worker/metrics/class-of-call.js';

const CLASSES = [
  ...['2xx', '3xx', '4xx', '5xx', '1xx'],
  ...['401', '403', '404', '409', '429'],
  ...['timeout', 'connection_lost', 'not_connected'],
];

describe('the class of a call', () => {
  it.each([
    [{ status: 200 }, '2xx'],
    [{ status: 302 }, '3xx'],
    [{ status: 401 }, '401'],
    [{ status: 422 }, '4xx'],
    [{ status: 429 }, '429'],
    [{ status: 503 }, '5xx'],
    [{ lost: 'timeout' as const }, 'timeout'],
    [{ lost: 'not_connected' as const }, 'not_connected'],
  ])('of %j is %s', (exchanged, expected) => {
    expect(classOfCall(exchanged)).toBe(expected);
  });

  it('is one of a handful, whatever the API answers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (status) => {
        expect(CLASSES).toContain(classOfCall({ status }));
      }),
    );
  });
});
