import { afterAll, describe, expect, it } from '@jest/globals';

import { LONG_WAITS, type LongWait } from '../../../support/runs/long-waits.js';
import { closeScenarios, inScenario } from '../../../support/runs/scenario.js';

afterAll(closeScenarios);

/** Temporal warns from 10,240 on, and ends a run at 51,200. */
const MOST = 10_000;
/** What a run may have behind it when its long wait begins. */
const BEFORE = 200;

/** Measures the events of one look in a real run, and computes how often production looks. */
async function eventsIn90Days({ options, look, looks, mostLooks = Infinity }: LongWait) {
  let events = Infinity;
  await inScenario({ ...options, replays: false }, async (scenario) => {
    events = await look(scenario);
  });
  const made = Math.min(looks(events), mostLooks);
  return { perLook: events, looks: made, total: BEFORE + Math.round(events * made) };
}

describe('the history of a run that waits for 90 days', () => {
  it('has fewer than 10,000 events, whatever the run waits for', async () => {
    const waits = await Promise.all(
      Object.entries(LONG_WAITS).map(async ([name, wait]) => ({
        name,
        ...(await eventsIn90Days(wait)),
      })),
    );

    expect(waits.filter(({ total }) => total >= MOST)).toEqual([]);
    expect(waits.length).toBeGreaterThan(10);
  });
});
