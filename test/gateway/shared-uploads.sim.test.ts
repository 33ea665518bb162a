import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import type { GcoreWorkflows } from '../../src/client/index.js';
import { inScenario } from '../simulation/scenario.js';
import { at, bodyOf, gatewayOf, gcoreOf, post } from '../support/gateway/gateway-world.js';
import { createGate } from '../support/timing/gate.js';

const listedSchema = z.object({ uploads: z.array(z.object({ isWhole: z.boolean() })) });

const NOBODY = '0'.repeat(64);

/** A client whose calls about lists are told of first. */
function telling(
  gcore: GcoreWorkflows,
  tell: (call: 'uploads' | 'deleteUpload') => void | Promise<void>,
): GcoreWorkflows {
  return {
    ...gcore,
    as: (identity) => telling(gcore.as(identity), tell),
    async uploads(account) {
      await tell('uploads');
      return gcore.uploads(account);
    },
    async deleteUpload(name, options) {
      await tell('deleteUpload');
      return gcore.deleteUpload(name, options);
    },
  };
}

describe('the uploaded lists', () => {
  it('are read once for all who ask at the same time, and anew after a change', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      let reads = 0;
      const counted = telling(gcoreOf(scenario), () => {
        reads += 1;
      });
      const app = gatewayOf(scenario, { gcore: counted });
      const ask = async () => app.request(at(`/v1/uploads?account=${account}`));

      const answers = await Promise.all(Array.from({ length: 20 }, ask));
      const before = reads;
      const list = post('{}\n', { 'Content-Type': 'application/jsonl' });
      await app.request(at(`/v1/uploads/runBatch?account=${account}`), list);
      const after = listedSchema.parse(await bodyOf(await ask()));

      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(before).toBe(1);
      expect(after.uploads).toMatchObject([{ isWhole: true }]);
    }));

  it('are not read anew after requests that were refused', () =>
    inScenario({}, async (scenario) => {
      let reads = 0;
      const counted = telling(gcoreOf(scenario), (call) => {
        if (call === 'uploads') reads += 1;
      });
      const app = gatewayOf(scenario, { gcore: counted });
      const path = `?account=${scenario.account}`;

      const statuses: number[] = [];
      for (let time = 0; time < 3; time++) {
        const faulty = post('{', { 'Content-Type': 'application/jsonl' });
        const answers = [
          await app.request(at(`/v1/uploads/${NOBODY}${path}`), { method: 'DELETE' }),
          await app.request(at(`/v1/uploads/runBatch${path}`), faulty),
          await app.request(at(`/v1/uploads${path}`)),
        ];
        statuses.push(...answers.map(({ status }) => status));
      }

      expect(statuses).toEqual(Array(3).fill([404, 400, 200]).flat());
      expect(reads).toBe(1);
    }));

  it('are deleted by a token two at a time: each time the inputs of many runs are read', () =>
    inScenario({}, async (scenario) => {
      const gate = createGate();
      const app = gatewayOf(scenario, { gcore: telling(gcoreOf(scenario), () => gate.opened) });
      const path = at(`/v1/uploads/${NOBODY}?account=${scenario.account}`);
      const remove = async () => (await app.request(path, { method: 'DELETE' })).status;

      const first = [remove(), remove()];
      const third = await remove();
      gate.open();

      expect([await Promise.all(first), third, await remove()]).toEqual([[404, 404], 429, 404]);
    }));
});
