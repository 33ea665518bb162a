import { describe, expect, it } from '@jest/globals';

import { workflowIdFor } from '../../../src/contract/wire/names.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { protectInput } from '../../support/inputs/protect-input.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { causesOf, shopOf, untilWaiting } from '../../support/worlds/shop.js';

const inShop = shopOf('test/worker/nexus/callers.ts');

describe('a call by Nexus', () => {
  it('is a request of its own when it has no request id', () =>
    inShop(async ({ call, client, account }) => {
      const request = { input: { account } };
      const keys = [await call('listKeys', request), await call('listKeys', request)];

      expect(await Promise.all(keys.map((caller) => caller.result()))).toMatchObject([
        { keys: [] },
        { keys: [] },
      ]);
      const query = `WorkflowId STARTS_WITH "${workflowIdFor('listSshKeys', account, '')}"`;
      // Visibility shows runs a little later.
      await until('there are two runs', async () => {
        const { count } = await client.workflow.count(query);
        return count === 2;
      });
    }));

  it('needs no request id for an address: alerts of several callers share one run', () =>
    inShop(async (shop) => {
      const { call, account, simulator } = shop;
      const gate = createGate();
      simulator.faults.add({
        match: { method: 'GET', times: Infinity },
        action: { kind: 'delay', until: gate.opened },
      });
      const input = { ...protectInput(), account };
      const workflowId = workflowIdFor('protectIp', account, input.profile.ip_address);
      const first = await call('protect', { input });
      await untilWaiting(shop, workflowId, 1);
      const second = await call('protect', { input });
      await untilWaiting(shop, workflowId, 2);
      gate.open();

      expect(await second.result()).toEqual(await first.result());
      expect(simulator.inventory().ddosProfiles).toHaveLength(1);
    }));

  it('starts a run with the urgency that it asks for', () =>
    inShop(async ({ call, client, account }) => {
      const caller = await call('listKeys', {
        requestId: 'nightly',
        urgency: 'bulk',
        input: { account },
      });
      await caller.result();

      const run = client.workflow.getHandle(workflowIdFor('listSshKeys', account, 'nightly'));
      expect(await run.describe()).toMatchObject({ priority: { priorityKey: 5 } });
    }));

  it('that is malformed is refused, and hears everything that is wrong', () =>
    inShop(async ({ call, simulator }) => {
      const request = { requestId: 'a\nb', urgency: 'now', input: { nmae: 'x' } };

      const causes = await causesOf(await call('listKeys', request));

      const faults = ['urgency', 'requestId', 'nmae'].map((path) =>
        expect.objectContaining({ path }),
      );
      expect(causes).toMatchObject([
        { name: 'NexusOperationFailure' },
        { type: 'BAD_REQUEST' },
        { type: 'InvalidInput', details: [{ faults }] },
      ]);
      expect(simulator.requests).toEqual([]);
    }));

  it('with a secret in clear starts no run', () =>
    inShop(async ({ call, account, simulator }) => {
      const input = { ...provisionInput({ password: 'hunter2-canary' }), account };

      const causes = await causesOf(await call('provision', { requestId: 'order-1', input }));

      const faults = [expect.objectContaining({ path: 'instance.password' })];
      expect(causes).toMatchObject([
        { name: 'NexusOperationFailure' },
        { type: 'BAD_REQUEST' },
        { type: 'InvalidInput', details: [{ faults }] },
      ]);
      expect(JSON.stringify(causes)).not.toContain('hunter2');
      expect(simulator.requests).toEqual([]);
    }));
});
