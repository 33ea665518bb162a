import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { resumeUpdate } from '../../../src/engine/core/messages.js';
import { webhooksIdFor } from '../../../src/engine/core/names.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario } from '../../support/runs/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
import { firstRunIdOf, QUOTA, whileTold } from '../../support/webhooks/while-told.js';
import { withPinnedWorkers } from './pinned-workers.js';
import { manyVideos } from '../../support/worlds/videos.js';
describe('when a newer version becomes current', () => {
  it('a bounded run stays with its version, and its delivery moves when it is asked to', () =>
    whileTold(async (told) => {
      const { client, simulator, receiver, notify } = told;
      receiver.answerWith(503, 0.2);
      simulator.faults.add(QUOTA);
      await withPinnedWorkers(told, { webhooks: receiver.settings }, async (workers) => {
        const { start, promote, drain, buildOf } = workers;
        const run = await start('provisionInstance', { ...provisionInput(), notify });
        const id = run.workflowId;
        await untilBlocked(run, 'QuotaExceeded');
        const delivery = webhooksIdFor(id, await firstRunIdOf(client, id));
        await until('the receiver was tried', () => receiver.tries.length > 0);

        await promote('two');
        // The first signal may come before every part of the server knows the promotion.
        await until('the delivery has moved', async () => {
          await drain('one');
          await delay(1_000);
          return (await buildOf(delivery)) === 'two';
        });
        await run.executeUpdate(resumeUpdate, { args: [{}] });
        expect(await run.result()).toMatchObject({ status: 'ACTIVE' });
        receiver.answerWith(204);

        expect(await buildOf(id)).toBe('one');
        expect(await client.workflow.getHandle(delivery).result()).toEqual([]);
        const events = receiver.taken.map(({ body: { data } }) => data.sequence);
        expect(events).toEqual([1, 2, 3]);
        expect(simulator.inventory().instances).toHaveLength(1);
      });
    }));

  it('an import moves by itself, and makes no video twice', () =>
    inScenario({ speed: 6 }, async (scenario) => {
      const { simulator } = scenario;
      await withPinnedWorkers(scenario, { speed: 20 }, async (workers) => {
        const { start, promote, buildOf } = workers;
        const run = await start('importVideos', { videos: manyVideos(60) });
        await until('it has made its videos', () => simulator.inventory().videos.length === 60);
        expect(await buildOf(run.workflowId)).toBe('one');

        await promote('two');
        await until('it has moved', async () => (await buildOf(run.workflowId)) === 'two');

        expect(await run.result()).toMatchObject({ counts: { succeeded: 60, failed: 0 } });
        expect(simulator.inventory().videos).toHaveLength(60);
      });
    }));
});
