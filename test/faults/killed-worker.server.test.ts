import { describe, expect, it } from '@jest/globals';

import { inFaultWorld } from '../support/worlds/fault-world.js';
import {
  ANSWERING,
  holdRuns,
  IN_FLIGHT,
  MOMENTS,
  ROLLING_BACK,
  WAITING,
} from '../support/runs/moments.js';
import { endsOf, soundEndsOf } from '../support/runs/sound-end.js';
import { interruptTemporal } from '../support/worlds/temporal-outage.js';
import { until } from '../support/timing/until.js';

/** A call is given up after 20 s, a watcher after 30 s without a heartbeat; a first look comes after 15 s. */
const ENDED_WITHIN_MS = 60_000;

// Side by side, each in a world of its own: they mostly wait.
describe('a worker', () => {
  it.concurrent(
    'that is killed, whatever its runs are at, is replaced within a minute: nothing is made twice or forgotten',
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

  it.concurrent(
    'that is told to stop finishes the calls it has sent and ends with 0; another one goes on',
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
        // Heard by the worker that had asked: nobody had to look for what became of the call.
        for (const { workflowId } of runs) {
          const { steps } = await world.gcore.status(workflowId);
          expect(steps[0]?.note).toBeUndefined();
        }
      }),
    90_000,
  );

  it.concurrent(
    'that is killed while Temporal cannot hear of an answer is replaced: what the call made is found',
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
    90_000,
  );
});
