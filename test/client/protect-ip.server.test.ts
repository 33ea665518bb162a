import { afterAll, describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../src/client/index.js';
import { protectInput } from '../support/inputs/protect-input.js';
import { closeScenarios, inScenario, type Scenario } from '../support/runs/scenario.js';
import { until } from '../support/timing/until.js';

afterAll(closeScenarios);

const clientOf = ({ client, taskQueue }: Scenario): GcoreWorkflows =>
  createGcoreWorkflows({ client, taskQueue });

function inputOf({ account }: Scenario, ip_address = '2001:db8::1') {
  const profile = { ...protectInput().profile, ip_address };
  return { ...protectInput({ profile, holdFor: '1 hour' }), account };
}

describe('the client, for a run that protects an address', () => {
  it('joins the open run of an address in any spelling, and starts a new run after it', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const start = (address?: string) =>
        gcore.start('protectIp', { input: inputOf(scenario, address) });
      const first = await start();
      const again = await start('2001:0DB8:0::1');
      await untilHeld(gcore, first.workflowId);
      const extended = await gcore.extend(first.workflowId, { holdFor: '2 hours' });
      await gcore.restore(first.workflowId);
      await gcore.result('protectIp', first.workflowId);

      const later = await start();
      await untilHeld(gcore, first.workflowId);

      expect(first.workflowId).toBe(`protect-ip/${scenario.account}/2001:db8::1`);
      expect(again).toEqual({ ...first, outcome: 'joined' });
      expect(later.outcome).toBe('started');
      const end = Date.parse(extended.waiting?.nextCheckAt ?? '');
      expect(end - Date.now()).toBeGreaterThan(110 * 60_000);
      const { raw } = await scenario.client.workflow.getHandle(first.workflowId).describe();
      expect(raw.workflowExecutionInfo?.priority?.priorityKey).toBe(1);
      await gcore.restore(first.workflowId);
      await gcore.result('protectIp', first.workflowId);
    }));

  it('needs a request id for every other operation', () =>
    inScenario({}, async (scenario) => {
      const request = { input: { account: scenario.account } };
      // @ts-expect-error The request id is missing, as in a call from JavaScript.
      const started = clientOf(scenario).start('listSshKeys', request);

      await expect(started).rejects.toMatchObject({
        faults: [{ path: 'requestId', message: expect.stringContaining('is missing') }],
      });
    }));
});

async function untilHeld(gcore: GcoreWorkflows, workflowId: string): Promise<void> {
  await until('the protection is held', async () => {
    const { steps } = await gcore.status(workflowId);
    return steps.some(({ name, state }) => name === 'hold protection' && state === 'waiting');
  });
}
