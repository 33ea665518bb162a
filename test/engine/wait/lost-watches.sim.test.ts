import { describe, expect, it } from '@jest/globals';

import { latenesses, losesOneWatch, PROCESS_FAULTS } from './lost-watches.js';

const SECOND = 1_000;
/** Half a minute, and a poll of the watcher. */
const PROMISED_MS = 35 * SECOND;
/** The heartbeat timeout of a watch, and a poll. */
const PROMISED_ALONE_MS = 65 * SECOND;
const RUNS = 60;

describe('no run learns of the end of its task later than half a minute and a poll after its watcher', () => {
  it.each(Object.entries(PROCESS_FAULTS))('%s', async (_, fault) => {
    const late = await latenesses({ fault }, { seed: 1, runs: RUNS });

    expect(late).toHaveLength(RUNS);
    expect(Math.max(...late)).toBeLessThanOrEqual(PROMISED_MS);
  });
});

describe('no run learns of the end of its task later than a minute and a poll after one message was lost', () => {
  it('the watch does not reach the process, which lives', async () => {
    const late = await latenesses({ loses: losesOneWatch }, { seed: 1, runs: RUNS });

    expect(late).toHaveLength(RUNS);
    expect(Math.max(...late)).toBeLessThanOrEqual(PROMISED_ALONE_MS);
    // The message was lost.
    expect(Math.max(...late)).toBeGreaterThan(PROMISED_MS);
  });
});
