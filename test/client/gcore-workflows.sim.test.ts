import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

import {
  createGcoreWorkflows,
  InvalidInputError,
  RunCancelledError,
  RunEndedError,
  RunFailedError,
  RunNotFoundError,
  type GcoreWorkflows,
} from '../../src/client/index.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { until } from '../support/timing/until.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
const clientOf = ({ client, taskQueue }: Scenario): GcoreWorkflows =>
  createGcoreWorkflows({ client, taskQueue });

const requestOf = ({ account }: Scenario) => ({
  requestId: `order-${randomUUID()}`,
  input: { ...provisionInput(), account },
});

describe('the client', () => {
  it('starts a run with an id of operation, account and request', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const request = requestOf(scenario);

      const { workflowId } = await gcore.start('provisionInstance', request);

      expect(workflowId).toBe(`provision-instance/${scenario.account}/${request.requestId}`);
      expect((await gcore.result('provisionInstance', workflowId)).status).toBe('ACTIVE');
    }));

  it('joins the open run when a request is repeated', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const request = requestOf(scenario);

      const starts = await Promise.all(
        Array.from({ length: 5 }, () => gcore.start('provisionInstance', request)),
      );

      const ids = new Set(starts.map(({ workflowId }) => workflowId));
      const [workflowId = ''] = ids;
      await gcore.result('provisionInstance', workflowId);
      expect(ids.size).toBe(1);
      const outcomes = starts.map(({ outcome }) => outcome).sort();
      expect(outcomes).toEqual(['joined', 'joined', 'joined', 'joined', 'started']);
      expect(scenario.simulator.inventory().instances).toHaveLength(1);
    }));

  it('returns the earlier run of a request that succeeded', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const request = requestOf(scenario);
      const first = await gcore.start('provisionInstance', request);
      const { instanceId } = await gcore.result('provisionInstance', first.workflowId);

      const second = await gcore.start('provisionInstance', request);

      expect(second).toEqual({
        workflowId: first.workflowId,
        runId: first.runId,
        outcome: 'succeeded-before',
        succeededAt: expect.any(Date),
      });
      expect((await gcore.result('provisionInstance', second.workflowId)).instanceId).toBe(
        instanceId,
      );
    }));

  it('starts a failed request again', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const request = requestOf(scenario);
      scenario.simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'task-error', error: 'no luck' },
      });
      const first = await gcore.start('provisionInstance', request);
      await expect(gcore.result('provisionInstance', first.workflowId)).rejects.toThrow('no luck');

      const second = await gcore.start('provisionInstance', request);

      expect(second.outcome).toBe('started');
      expect((await gcore.result('provisionInstance', second.workflowId)).status).toBe('ACTIVE');
    }));

  it('lists every fault of an input and sends nothing', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const { requestId, input } = requestOf(scenario);
      const broken = { ...input, instance: { ...input.instance, volumes: [], name: 'x' } };

      const start = gcore.start('provisionInstance', { requestId, input: broken });

      await expect(start).rejects.toThrow(InvalidInputError);
      await expect(start).rejects.toMatchObject({
        faults: [{ path: 'instance.volumes' }, { path: 'instance.name' }],
      });
      expect(scenario.simulator.requests).toEqual([]);
    }));

  it('reports why a run failed, with the next step', () =>
    inScenario({}, async (scenario) => {
      scenario.simulator.keys.revoke('default');
      const gcore = clientOf(scenario);
      const { requestId, input } = requestOf(scenario);
      const { workflowId } = await gcore.start('provisionInstance', {
        requestId,
        input: { ...input, onBlocked: 'fail' },
      });

      const result = gcore.result('provisionInstance', workflowId);

      await expect(result).rejects.toThrow(RunFailedError);
      await expect(result).rejects.toMatchObject({
        type: 'Unauthorized',
        details: { operation: 'provisionInstance', status: 401, advice: expect.any(String) },
      });
    }));

  it('cancels a run, and reports its result as cancelled', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const { workflowId } = await gcore.start('provisionInstance', requestOf(scenario));

      await gcore.cancel(workflowId);

      await expect(gcore.result('provisionInstance', workflowId)).rejects.toThrow(
        RunCancelledError,
      );
      expect((await gcore.status(workflowId)).phase).toBe('cancelled');
      expect(scenario.simulator.inventory().instances).toEqual([]);
    }));

  it('refuses to cancel a run that has ended', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const { workflowId } = await gcore.start('provisionInstance', requestOf(scenario));
      await gcore.result('provisionInstance', workflowId);

      await expect(gcore.cancel(workflowId)).rejects.toThrow(RunEndedError);
    }));

  it('reports an unknown run', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);

      await expect(gcore.status('no/such/run')).rejects.toThrow(RunNotFoundError);
      await expect(gcore.cancel('no/such/run')).rejects.toThrow(RunNotFoundError);
      await expect(gcore.result('provisionInstance', 'no/such/run')).rejects.toThrow(
        RunNotFoundError,
      );
    }));

  it('knows the operation of its runs, and no run of another product', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const { account, client } = scenario;
      const request = { requestId: randomUUID(), input: { account, name: 'ingest' } };
      const { workflowId } = await gcore.start('listSshKeys', request);
      const strange = { workflowId: randomUUID(), taskQueue: 'of-others', args: [] };
      const other = await client.workflow.start('toString', strange);

      expect(await gcore.operationOf(workflowId)).toBe('listSshKeys');
      expect(await gcore.result('listSshKeys', workflowId)).toEqual({
        keys: [],
        count: 0,
        total: 0,
      });
      await expect(gcore.operationOf(other.workflowId)).rejects.toThrow(RunNotFoundError);
      await expect(gcore.operationOf('no/such/run')).rejects.toThrow(RunNotFoundError);
      await other.terminate();
    }));

  it('says when no worker serves the account of a run', () =>
    inScenario({}, async (scenario) => {
      const { client, taskQueue, account } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue, unservedAfterMs: 500 });
      const served = await gcore.start('provisionInstance', requestOf(scenario));
      const unserved = `nobody-${account}`;
      const { workflowId } = await gcore.start('listSshKeys', {
        requestId: 'keys',
        // The id names no account.
        workflowId: `keys-${randomUUID()}`,
        input: { account: unserved },
      });

      await until('the status says so', async () => {
        const status = await gcore.status(workflowId);
        return status.unserved?.account === unserved;
      });

      const status = await gcore.status(workflowId);
      expect(status.unserved?.advice).toContain(`GCORE_ACCOUNT=${unserved}`);
      expect(Date.parse(status.unserved?.since ?? '')).toBeLessThanOrEqual(Date.now() - 500);
      const patient = await clientOf(scenario).status(workflowId);
      expect(patient.unserved).toBeUndefined();
      const { paragraph, next } = await gcore.explain(workflowId);
      expect(paragraph).toContain(`No worker serves the account "${unserved}"`);
      expect(next).toContain(`GCORE_ACCOUNT=${unserved}`);
      expect((await gcore.status(served.workflowId)).unserved).toBeUndefined();
      await gcore.abort(workflowId);
      await gcore.result('provisionInstance', served.workflowId);
    }));

  it('counts the workers of the queues that a run needs', () =>
    inScenario({}, async (scenario) => {
      // A worker polls a moment after it has been started.
      await until('both workers poll', async () => {
        const here = await clientOf(scenario).pollers(scenario.account);
        return here.every(({ pollers }) => pollers > 0);
      });
      const nowhere = await createGcoreWorkflows({
        client: scenario.client,
        taskQueue: 'nobody',
      }).pollers('nobody');

      expect(nowhere).toEqual([
        { taskQueue: 'nobody', pollers: 0 },
        { taskQueue: 'gcore-api-nobody', pollers: 0 },
        { taskQueue: 'gcore-urgent-nobody', pollers: 0 },
      ]);
    }));
});

const { WORKFLOW_EXECUTION_STATUS_PAUSED: PAUSED } =
  proto.temporal.api.enums.v1.WorkflowExecutionStatus;

/** The same, to which the server calls every open run paused. */
function callsPaused({ client }: Scenario): Client {
  const { connection, options } = client;
  return new Client({
    ...options,
    connection,
    interceptors: {
      workflow: [
        {
          async describe(input, next) {
            const found = await next(input);
            const info = found.workflowExecutionInfo;
            if (info && !info.closeTime) info.status = PAUSED;
            return found;
          },
        },
      ],
    },
  });
}

describe('a run that Temporal itself has paused', () => {
  it('can be cancelled: it has not ended', () =>
    inScenario({}, async (scenario) => {
      const { taskQueue, simulator } = scenario;
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH, times: 1_000 },
        action: { kind: 'status', status: 503 },
      });
      const gcore = createGcoreWorkflows({ client: callsPaused(scenario), taskQueue });
      const { workflowId } = await gcore.start('provisionInstance', requestOf(scenario));
      expect(await gcore.summary(workflowId)).toMatchObject({ state: 'PAUSED' });

      await gcore.cancel(workflowId);

      await expect(gcore.result('provisionInstance', workflowId)).rejects.toThrow(
        RunCancelledError,
      );
    }));
});
