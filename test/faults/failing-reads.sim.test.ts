import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../src/client/index.js';
import type { Simulator } from '../../src/simulator/index.js';
import { protectInput } from '../support/inputs/protect-input.js';
import { inScenario } from '../simulation/scenario.js';
import { pass } from '../support/timing/pass.js';
import { until } from '../support/timing/until.js';
import { kvInput, manyItems, stateWithStores } from '../support/worlds/kv-stores.js';
import { BATCH, manyVideos, NOTHING_WRONG, wrongly } from '../support/worlds/videos.js';
/** Fewer keys than are read by page: each takes a request. */
const KEYS = 45;
const VIDEOS = 500;

/** Each third read is answered with 503, so half as many reads again are needed at least. */
const LEAST_SHARE = 1.5;
/** Above the least possible number of requests. */
const ALLOWED = 1.1;

function failEachThirdRead(simulator: Simulator): void {
  simulator.faults.add({
    match: { method: 'GET', every: 3, times: Infinity },
    action: { kind: 'status', status: 503 },
  });
}

/** Counts the reads of `act`. */
async function readsOf(simulator: Simulator, act: () => Promise<unknown>): Promise<number> {
  const before = simulator.requests.length;
  await act();
  return simulator.requests.slice(before).filter(({ method }) => method === 'GET').length;
}

describe('an API of which some reads fail', () => {
  it('lets modifyKvStore end its read-back', async () => {
    await inScenario({ state: stateWithStores() }, async ({ simulator, start }) => {
      failEachThirdRead(simulator);

      const run = await start('modifyKvStore', kvInput({ items: manyItems(KEYS), verify: 'all' }));
      const reads = await readsOf(simulator, () => run.result());

      expect(await run.result()).toMatchObject({ verified: { keys: KEYS } });
      expect(reads).toBeLessThanOrEqual((KEYS + 5) * LEAST_SHARE * ALLOWED);
    });
  });

  it('lets a read-back go on where its last attempt has stopped', async () => {
    await inScenario({ state: stateWithStores() }, async ({ simulator, start }) => {
      // An answer of unknown form ends the attempt: waiting for a moment does not help.
      simulator.faults.add({
        match: { method: 'GET', path: /\/data\//, every: 10, times: Infinity },
        action: { kind: 'status', status: 200, body: {} },
      });

      const run = await start('modifyKvStore', kvInput({ items: manyItems(KEYS), verify: 'all' }));
      const reads = await readsOf(simulator, () => run.result());

      expect(await run.result()).toMatchObject({ verified: { keys: KEYS } });
      expect(reads).toBeLessThanOrEqual((KEYS + 5) * ALLOWED);
    });
  });

  it('lets explain say which read is repeated, and a cancelled run end meanwhile', async () => {
    await inScenario(
      { state: stateWithStores() },
      async ({ simulator, start, client, taskQueue }) => {
        simulator.faults.add({
          match: { method: 'GET', path: /\/data\//, nth: 10 },
          action: { kind: 'status', status: 503, retryAfter: '40' },
        });
        const run = await start(
          'modifyKvStore',
          kvInput({ items: manyItems(KEYS), verify: 'all' }),
        );
        const gcore = createGcoreWorkflows({ client, taskQueue });
        const explained = async () => (await gcore.explain(run.workflowId)).paragraph;

        await until('explain says it', async () => (await explained()).includes('repeats a read'));
        const paragraph = await explained();
        const sent = simulator.requests.length;
        await gcore.cancel(run.workflowId);
        const ended = await run.result().catch((error: unknown) => error);

        expect(paragraph).toContain(
          'Its call compareKvChunk repeats a read that has failed once since',
        );
        expect(paragraph).toContain('was answered with 503');
        expect(ended).toMatchObject({ cause: { name: 'CancelledFailure' } });
        expect(simulator.requests).toHaveLength(sent);
      },
    );
  });

  it('costs an import with 500 markers of the caller no more requests than it has to', async () => {
    await inScenario({}, async ({ simulator, start }) => {
      const importOf = async (first: number) => {
        // The videos are made, so each of their markers has to be looked for.
        simulator.faults.add({ match: BATCH, action: { kind: 'drop-response' } });
        const videos = manyVideos(VIDEOS).map((video, at) => ({
          ...video,
          name: `video-${first + at}`,
          client_user_id: first + at,
        }));
        const run = await start('importVideos', { videos });
        return readsOf(simulator, () => run.result());
      };
      const least = (await importOf(1)) * LEAST_SHARE;
      failEachThirdRead(simulator);

      const reads = await importOf(VIDEOS + 1);

      const wanted = Array.from({ length: 2 * VIDEOS }, (_, at) => ({ name: `video-${at + 1}` }));
      expect(wrongly(simulator, wanted)).toEqual(NOTHING_WRONG);
      expect(reads).toBeLessThanOrEqual(least * ALLOWED);
    });
  });

  it('lets protectIp protect', async () => {
    await inScenario({}, async ({ simulator, start }) => {
      failEachThirdRead(simulator);

      const run = await start('protectIp', protectInput());
      await run.result();

      expect(simulator.inventory().ddosProfiles).toMatchObject([{ options: { active: true } }]);
    });
  });
});

describe('an API that is away', () => {
  it('is asked for one thing at a time by a run that reads several side by side', async () => {
    await inScenario({}, async ({ simulator, start }) => {
      simulator.faults.add({
        match: { method: 'GET', path: /./, times: Infinity },
        action: { kind: 'status', status: 503 },
      });
      const run = await start('protectIp', protectInput());
      await pass(30_000);
      const before = simulator.requests.length;
      await pass(60_000);
      const asked = simulator.requests.slice(before).map(({ path }) => path);
      simulator.faults.clear();
      await run.result();

      expect(asked.length).toBeGreaterThan(3);
      expect(new Set(asked).size).toBe(1);
    });
  });
});
