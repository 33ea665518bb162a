import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { LONG_WAITS, type LongWait } from './long-waits.js';
import { inScenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
import { BATCH, video } from '../../support/worlds/videos.js';
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

describe('a blocked run whose looks repeat a large list', () => {
  /** Nothing shows which of the two the API has made, so the run looks again and again. */
  const alike = (clip_start_seconds: number) => ({
    ...video('same'),
    client_user_id: 7,
    clip_start_seconds,
    subtitles: [{ language: 'eng', vtt: `WEBVTT\n${'x'.repeat(400_000)}` }],
  });

  it('looks rarely: its history takes 50 MiB', () =>
    // The history is larger than what one call may fetch for a replay.
    inScenario({ policy: { probeMs: 1_000 }, replays: false }, async ({ start, simulator }) => {
      simulator.faults.add({ match: BATCH, action: { kind: 'partial-batch', items: 1 } });
      simulator.faults.add({ match: BATCH, action: { kind: 'drop-response' } });
      const run = await start('importVideos', { videos: [alike(0), alike(60)] });
      await untilBlocked(run, 'OutcomeUnknown');
      const block = async () => {
        const { since = '', nextCheckAt = '' } = (await run.query(statusQuery)).blocked ?? {};
        const begun = Date.parse(since);
        return { agoMs: Date.now() - begun, nextMs: Date.parse(nextCheckAt) - begun };
      };
      const first = await block();
      let second = first;
      await until('it has looked again', async () => {
        second = await block();
        return second.nextMs > first.nextMs;
      });
      await run.terminate('seen');

      // Without the size of its looks it would be a second after now.
      expect(second.nextMs).toBeGreaterThan(3 * second.agoMs);
    }));
});
