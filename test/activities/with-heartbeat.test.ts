import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { withHeartbeat } from '../../src/activities/with-heartbeat.js';
import { createActivityEnvironment, inActivity } from '../support/http/in-activity.js';

function createCountedEnvironment() {
  const environment = createActivityEnvironment({ heartbeatTimeoutMs: 30 });
  let count = 0;
  environment.on('heartbeat', () => (count += 1));
  return { environment, count: () => count };
}

describe('withHeartbeat', () => {
  it('heartbeats within the timeout of the activity, and gives its result', async () => {
    const { environment, count } = createCountedEnvironment();

    const result = await inActivity(() => withHeartbeat(() => delay(200, 'done')), environment);

    expect(result).toBe('done');
    expect(count()).toBeGreaterThan(2);
  });

  it.each([
    ['succeeds', () => Promise.resolve()],
    ['fails', () => Promise.reject(new Error('failed'))],
  ])('stops when the activity %s', async (_outcome, act) => {
    const { environment, count } = createCountedEnvironment();

    await inActivity(() => withHeartbeat(act).catch(() => undefined), environment);
    await delay(50);

    expect(count()).toBe(0);
  });
});
