import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import type { GcoreWorkflows } from '../../src/client/index.js';
import { inScenario } from '../simulation/scenario.js';
import { at, bodyOf, gatewayOf, gcoreOf, post } from '../support/gateway/gateway-world.js';

const listedSchema = z.object({ uploads: z.array(z.object({ isWhole: z.boolean() })) });

describe('the uploaded lists', () => {
  it('are read once for all who ask at the same time, and anew after a change', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      let reads = 0;
      const counted = (gcore: GcoreWorkflows): GcoreWorkflows => ({
        ...gcore,
        as: (identity) => counted(gcore.as(identity)),
        uploads: (name) => {
          reads += 1;
          return gcore.uploads(name);
        },
      });
      const app = gatewayOf(scenario, { gcore: counted(gcoreOf(scenario)) });
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
});
