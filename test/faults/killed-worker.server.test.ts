import { describe, expect, it } from '@jest/globals';

import { inFaultWorld } from '../support/fault-world.js';
import { holdRuns, MOMENTS } from '../support/moments.js';
import { endsOf, soundEndsOf } from '../support/sound-end.js';

/** A call is given up after 20 s, a watcher after 30 s without a heartbeat; a first look comes after 15 s. */
const ENDED_WITHIN_MS = 60_000;

describe('runs whose worker is killed at every moment of their lives', () => {
  it(
    'go on in another worker within a minute, and nothing is made twice or forgotten',
    () =>
      inFaultWorld(async (world) => {
        await world.startWorker();
        const { runs, letGo } = await holdRuns(world, MOMENTS);

        await world.killWorkers();
        const killedAt = Date.now();
        // What the cloud has received it carries out, whoever is left to hear of it.
        letGo();
        await world.startWorker();

        const ends = await endsOf(world, runs);
        expect(ends).toEqual(soundEndsOf(runs));
        expect(Date.now() - killedAt).toBeLessThan(ENDED_WITHIN_MS);
      }),
    120_000,
  );
});
