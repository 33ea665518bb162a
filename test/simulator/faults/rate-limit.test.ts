import { describe, expect, it } from '@jest/globals';

import { createRateLimiter } from '../../../src/simulator/faults/rate-limiter.js';
import {
  CREATE,
  createFaultyCloud,
  INSTANCES,
  instanceBody,
} from '../../support/worlds/simulated-cloud.js';

describe('a rate limit', () => {
  it('gives its burst at once, then one token per interval, and never more than the burst', () => {
    let at = 0;
    const limiter = createRateLimiter({ kind: 'rate-limit', perSecond: 2, burst: 3 }, () => at);

    const first = Array.from({ length: 4 }, () => limiter.take());
    at = 499;
    const early = limiter.take();
    at = 500;
    const due = limiter.take();
    at = 60_000;
    const later = Array.from({ length: 4 }, () => limiter.take());

    expect(first).toEqual([0, 0, 0, 500]);
    expect([early, due]).toEqual([1, 0]);
    expect(later).toEqual([0, 0, 0, 500]);
  });

  it.each([
    [true, '1000'],
    [false, null],
  ])('refuses with 429, and names the wait when it should: %s', async (retryAfter, header) => {
    const cloud = createFaultyCloud({ kind: 'rate-limit', perSecond: 0.001, retryAfter }, {});

    const first = await cloud.send('GET', INSTANCES);
    const second = await cloud.send('POST', CREATE, instanceBody());

    const third = await cloud.simulator.fetch('https://api.simulator.test/');
    expect([first.status, second.status, third.status]).toEqual([200, 429, 429]);
    expect(third.headers.get('retry-after')).toBe(header);
    expect(cloud.simulator.inventory().instances).toEqual([]);
    expect(cloud.simulator.requests[1]).toMatchObject({ fault: 'rate-limit' });
  });

  it('comes before other rules, which do not count what it refuses', async () => {
    const cloud = createFaultyCloud({ kind: 'rate-limit', perSecond: 0.001, burst: 2 }, {});
    cloud.simulator.faults.add({ match: { nth: 2 }, action: { kind: 'status', status: 503 } });

    const answers = [await cloud.send('GET', INSTANCES), await cloud.send('GET', INSTANCES)];
    const refused = await cloud.send('GET', INSTANCES);

    expect([...answers, refused].map(({ status }) => status)).toEqual([200, 503, 429]);
  });

  it.each([
    { perSecond: 0, burst: 1 },
    { perSecond: 1, burst: 0 },
  ])('needs a rate and a burst: %j', (limit) => {
    expect(() => createRateLimiter({ kind: 'rate-limit', ...limit })).toThrow(RangeError);
  });
});
