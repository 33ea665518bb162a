import { randomUUID } from 'node:crypto';

import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { protectInput } from '../../support/inputs/protect-input.js';
import { inScenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
const untilItHolds = (run: WorkflowHandle) =>
  until('it holds', async () => {
    const { waiting } = await run.query(statusQuery);
    return waiting?.for === 'the end of the hold';
  });

describe('protectIp', () => {
  it('gets the address of a terminated run although a later run has its id and another address', () =>
    inScenario({ replays: false }, async ({ start }) => {
      const id = `incident-${randomUUID()}`;
      const other = { ...protectInput().profile, ip_address: '203.0.113.8' };
      const first = await start('protectIp', protectInput({ holdFor: '1 hour' }), id);
      await untilItHolds(first);
      await first.terminate();
      const namesake = protectInput({ holdFor: '1 hour', profile: other });
      const second = await start('protectIp', namesake, id);
      await untilItHolds(second);

      const third = await start('protectIp', protectInput());

      await expect(third.result()).resolves.toMatchObject({ status: expect.anything() });
      await second.terminate();
    }));
});
