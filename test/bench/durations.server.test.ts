import { describe, expect, it } from '@jest/globals';

import { measureDuration } from '../../bench/figures/durations.js';
describe('measureDuration', () => {
  it('gives the task the requested duration in every way of waiting', async () => {
    const duration = { taskSeconds: 120, speed: 20 };

    const [watcher, timers] = await Promise.all([
      measureDuration(duration, 'watcher'),
      measureDuration(duration, 'timers'),
    ]);

    expect(watcher.seconds).toBeGreaterThanOrEqual(120);
    expect(watcher.eventTypes.get('TIMER_FIRED')).toBeUndefined();
    expect(timers.seconds).toBeGreaterThanOrEqual(120);
    expect(timers.eventTypes.get('TIMER_FIRED')).toBeGreaterThan(1);
  });
});
