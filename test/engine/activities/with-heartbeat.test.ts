import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { withHeartbeat } from '../../../src/engine/activities/attempt.js';
import { createActivityEnvironment, inActivity } from '../../support/http/in-activity.js';

function createCountedEnvironment() {
  const environment = createActivityEnvironment({ heartbeatTimeoutMs: 30 });
  let count = 0;
  const heartbeats = (wanted: number): Promise<number> =>
    new Promise((resolve) => {
      environment.on('heartbeat', () => {
        count += 1;
        if (count === wanted) resolve(count);
      });
    });
  return { environment, heartbeats, count: () => count };
}

describe('withHeartbeat', () => {
  it('heartbeats repeatedly while the activity works, and returns its result', async () => {
    const { environment, heartbeats } = createCountedEnvironment();

    const result = await inActivity(() => withHeartbeat(() => heartbeats(3)), environment);

    expect(result).toBe(3);
  });

  it.each([
    ['succeeds', () => Promise.resolve()],
    ['fails', () => Promise.reject(new Error('failed'))],
  ])('stops when the activity %s', async (_outcome, act) => {
    const { environment, heartbeats, count } = createCountedEnvironment();
    void heartbeats(1);

    await inActivity(() => withHeartbeat(act).catch(() => undefined), environment);
    await delay(50);

    expect(count()).toBe(0);
  });
});
