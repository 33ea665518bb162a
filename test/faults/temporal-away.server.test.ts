import { describe, expect, it } from '@jest/globals';

import { inFaultWorld } from '../support/worlds/fault-world.js';
import { holdRuns, MOMENTS } from './moments.js';
import { endsOf, soundEndsOf } from './sound-end.js';
import { interruptTemporal, outageSeconds } from './temporal-outage.js';

describe('runs whose Temporal server is killed at every moment of their lives', () => {
  it.each(outageSeconds())(
    'continue when it is back after %i s, without duplicates or lost resources',
    (seconds) =>
      inFaultWorld(async (world) => {
        await world.startWorker();
        const { runs, letGo } = await holdRuns(world, MOMENTS);

        // The answers come while the workers cannot report them.
        await interruptTemporal(world, { seconds, meanwhile: letGo });

        expect(await endsOf(world, runs)).toEqual(soundEndsOf(runs));
      }),
  );
});
