import { describe, expect, it } from '@jest/globals';
import { WorkflowNotFoundError } from '@temporalio/client';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { until } from '../support/timing/until.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';
import { causesOf, shopOf, untilWaiting } from '../support/worlds/shop.js';

const inShop = shopOf('examples/nexus/order-server.ts');

describe("a workflow of another team's namespace", () => {
  it('gets the verified result of the run that it asks for', () =>
    inShop(async ({ order, runOf, client, simulator }) => {
      const instanceId = await (await order('order-1')).result();

      expect(simulator.inventory().instances).toMatchObject([{ id: instanceId, status: 'ACTIVE' }]);
      const run = await client.workflow.getHandle(runOf('order-1')).describe();
      expect(run).toMatchObject({ type: 'provisionInstance', status: { name: 'COMPLETED' } });
    }));

  it('shares one run with a second caller of the same request, during the run and after it', () =>
    inShop(async (shop) => {
      const { order, simulator, runOf } = shop;
      const release = holdTaskReads(simulator);
      const [first, second] = [await order('order-1'), await order('order-1')];
      await untilWaiting(shop, runOf('order-1'), 2);
      release();

      const instanceId = await first.result();
      expect(await second.result()).toBe(instanceId);
      const later = await order('order-1');

      expect(await later.result()).toBe(instanceId);
      expect(simulator.inventory().instances).toHaveLength(1);
      expect(simulator.mutations().filter(({ path }) => path === CREATE_PATH)).toHaveLength(1);
    }));

  it('joins a run that the client has started', () =>
    inShop(async (shop) => {
      const { order, simulator, account, client, taskQueue, runOf } = shop;
      const release = holdTaskReads(simulator);
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const input = { ...provisionInput(), account };
      const { workflowId } = await gcore.start('provisionInstance', {
        requestId: 'order-1',
        input,
      });
      expect(workflowId).toBe(runOf('order-1'));
      const joined = await order('order-1');
      await untilWaiting(shop, workflowId, 1);
      release();

      const { instanceId } = await gcore.result('provisionInstance', workflowId);
      expect(await joined.result()).toBe(instanceId);
    }));

  it('hears every fault of a bad input, and nothing is started', () =>
    inShop(async ({ order, runOf, client, simulator }) => {
      const { instance } = provisionInput();
      const bad = { projectId: 'one', regionId: 1, instance: { ...instance, flavour: 'x' } };

      const causes = await causesOf(await order('order-1', bad));

      expect(causes).toMatchObject([
        { name: 'NexusOperationFailure', operation: 'provisionInstance' },
        { name: 'HandlerError', type: 'BAD_REQUEST' },
        {
          type: 'InvalidInput',
          details: [
            {
              advice: expect.stringContaining('Nothing was started'),
              faults: [
                { path: 'projectId', message: 'must be a number' },
                { path: 'instance.flavour', message: expect.any(String) },
              ],
            },
          ],
        },
      ]);
      await expect(client.workflow.getHandle(runOf('order-1')).describe()).rejects.toThrow(
        WorkflowNotFoundError,
      );
      expect(simulator.requests).toEqual([]);
    }));

  it('is refused when the request has a run with another input, open or successful', () =>
    inShop(async (shop) => {
      const { order, simulator, runOf } = shop;
      const release = holdTaskReads(simulator);
      const first = await order('order-1');
      await untilWaiting(shop, runOf('order-1'), 1);
      const refusal = (state: string) => [
        { name: 'NexusOperationFailure' },
        { type: 'CONFLICT' },
        {
          type: 'RequestConflict',
          message: expect.stringContaining('The inputs differ at instance.name.'),
          details: [{ state, paths: ['instance.name'], advice: expect.any(String) }],
        },
      ];
      const other = provisionInput({ name: 'web-2' });

      expect(await causesOf(await order('order-1', other))).toMatchObject(refusal('open'));
      await untilWaiting(shop, runOf('order-1'), 1);
      release();
      await first.result();
      expect(await causesOf(await order('order-1', other))).toMatchObject(refusal('succeeded'));
      expect(simulator.inventory().instances).toHaveLength(1);
    }));

  it('hears why a run failed and what to do next, and may ask again', () =>
    inShop(async ({ order, simulator }) => {
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: {
          kind: 'status',
          status: 403,
          body: { exception_class: 'ForbiddenError', message: 'Not enough capacity' },
        },
      });
      const input = provisionInput({}, { onBlocked: 'fail' });

      const causes = await causesOf(await order('order-1', input));

      expect(causes).toMatchObject([
        { name: 'NexusOperationFailure' },
        {
          name: 'ApplicationFailure',
          type: expect.any(String),
          details: [{ operation: 'provisionInstance', advice: expect.any(String) }],
        },
      ]);
      expect(await (await order('order-1', input)).result()).toEqual(expect.any(String));
    }));

  it('cancels the run with the operation: the run undoes its work', () =>
    inShop(async (shop) => {
      const { order, simulator, client, runOf } = shop;
      const release = holdTaskReads(simulator);
      const cancelled = await order('order-1');
      await until('the instance is asked for', () =>
        Promise.resolve(simulator.mutations().some(({ path }) => path === CREATE_PATH)),
      );

      await cancelled.cancel();
      const run = client.workflow.getHandle(runOf('order-1'));
      await until(
        'the run has heard of it',
        async () =>
          (await run.fetchHistory()).events?.some(
            ({ workflowExecutionCancelRequestedEventAttributes: asked }) => asked,
          ) === true,
      );
      release();

      expect(await causesOf(cancelled)).toMatchObject([{ name: 'CancelledFailure' }]);
      expect(await run.describe()).toMatchObject({ status: { name: 'CANCELLED' } });
      expect(simulator.inventory().instances).toEqual([]);
    }));
});
