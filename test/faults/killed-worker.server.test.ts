import { describe, expect, it } from '@jest/globals';

import { inFaultWorld } from '../support/worlds/fault-world.js';
import { ANSWERING, holdRuns, IN_FLIGHT, MOMENTS, ROLLING_BACK, WAITING } from './moments.js';
import { endsOf, soundEndsOf } from './sound-end.js';
import { interruptTemporal } from './temporal-outage.js';
import { until } from '../support/timing/until.js';

/** A call times out after 20 s, a watcher 30 s after its last heartbeat. The first poll is at 15 s. */
const ENDED_WITHIN_MS = 60_000;

// These tests mostly wait, so they run side by side, each in its own world.
describe('a worker', () => {
  it.concurrent(
    'is replaced within a minute after a kill: every run ends, without duplicates or lost resources',
    () =>
      inFaultWorld(async (world) => {
        await world.startWorker();
        const { runs, letGo } = await holdRuns(world, MOMENTS);

        await world.killWorkers();
        const killedAt = Date.now();
        // The cloud carries out the calls that it has received, although nobody waits for the answers.
        letGo();
        await world.startWorker();

        const ends = await endsOf(world, runs);
        expect(ends).toEqual(soundEndsOf(runs));
        expect(Date.now() - killedAt).toBeLessThan(ENDED_WITHIN_MS);
      }),
  );

  it.concurrent(
    'finishes its calls on SIGTERM and exits with 0, and another worker continues its runs',
    () =>
      inFaultWorld(async (world) => {
        const worker = await world.startWorker();
        const { runs, letGo } = await holdRuns(world, [IN_FLIGHT, ANSWERING, WAITING]);

        worker.child.kill('SIGTERM');
        await worker.says('DRAINING');
        letGo();
        const code = await worker.exit;
        await world.startWorker();

        const ends = await endsOf(world, runs);
        expect(code).toBe(0);
        expect(ends).toEqual(soundEndsOf(runs));
        // The first worker got the answers, so no run had to look for the effect of its call.
        for (const { workflowId } of runs) {
          const { steps } = await world.gcore.status(workflowId);
          expect(steps[0]?.note).toBeUndefined();
        }
      }),
  );

  it.concurrent(
    'is replaced after a kill during a Temporal outage, and the next one finds what the calls made',
    () =>
      inFaultWorld(async (world) => {
        await world.startWorker();
        const { runs, letGo } = await holdRuns(world, [ANSWERING, ROLLING_BACK]);

        await interruptTemporal(world, {
          seconds: 1,
          meanwhile: async () => {
            letGo();
            await until('all is answered', () => world.simulator.inFlight().length === 0);
            await world.killWorkers();
          },
        });
        await world.startWorker();

        expect(await endsOf(world, runs)).toEqual(soundEndsOf(runs));
      }),
  );
});
