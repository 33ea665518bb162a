import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { Client, type WorkflowHandle } from '@temporalio/client';

import {
  createGcoreWorkflows,
  InvalidInputError,
  NoAnswerError,
  RunEndedError,
  RunNotFoundError,
  UpdateRefusedError,
  type GcoreWorkflows,
} from '../../src/client/index.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
const clientOf = ({ client, taskQueue }: Scenario): GcoreWorkflows =>
  createGcoreWorkflows({ client, taskQueue, answerWithinMs: 3_000 });

const requestOf = ({ account }: Scenario) => ({
  requestId: `order-${randomUUID()}`,
  input: { ...provisionInput(), account },
});

const NO_CAPACITY = {
  kind: 'status',
  status: 403,
  body: { exception_class: 'ForbiddenError', message: 'Not enough capacity for this flavor' },
} as const;

/** A run that is blocked before anything was made. */
async function startBlocked(scenario: Scenario): Promise<string> {
  scenario.simulator.faults.add({
    match: { method: 'POST', path: CREATE_PATH },
    action: NO_CAPACITY,
  });
  const gcore = clientOf(scenario);
  const { workflowId } = await gcore.start('provisionInstance', requestOf(scenario));
  await until('it is blocked', async () => (await gcore.status(workflowId)).phase === 'blocked');
  return workflowId;
}

/** A run whose create task is under way. */
async function startWaiting(scenario: Scenario): Promise<string> {
  const gcore = clientOf(scenario);
  const { workflowId } = await gcore.start('provisionInstance', requestOf(scenario));
  await until('it waits', async () => (await gcore.status(workflowId)).phase === 'waiting');
  return workflowId;
}

describe('an operator', () => {
  it('pauses and resumes a run', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const workflowId = await startBlocked(scenario);

      await gcore.pause(workflowId);
      const resumed = await gcore.resume(workflowId);

      expect(resumed.operation).toBe('provisionInstance');
      expect((await gcore.result('provisionInstance', workflowId)).status).toBe('ACTIVE');
    }));

  it('gets the status after each update', () =>
    // The task takes at least 5 s: it must not end before the last update, also on a busy machine.
    inScenario({ speed: 3 }, async (scenario) => {
      const gcore = clientOf(scenario);
      const workflowId = await startWaiting(scenario);

      expect((await gcore.pause(workflowId)).phase).toBe('paused');
      expect((await gcore.resume(workflowId)).phase).toBe('waiting');
      await gcore.abort(workflowId, { reason: 'wrong region' });

      await expect(gcore.result('provisionInstance', workflowId)).rejects.toMatchObject({
        type: 'Aborted',
        message: expect.stringContaining('wrong region'),
      });
    }));

  it('resumes a blocked run with a corrected input', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const workflowId = await startBlocked(scenario);
      const flavor = 'g2-standard-4-8';
      const input = { ...provisionInput({ flavor }), account: scenario.account };

      await gcore.resume(workflowId, { operation: 'provisionInstance', input });

      expect((await gcore.result('provisionInstance', workflowId)).flavor).toBe(flavor);
    }));

  it('gets every fault of a corrected input before anything is sent', () =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const input = provisionInput({ volumes: [], name: 'x' });

      // No such run: had anything been sent, that would have been the complaint.
      const resumed = gcore.resume('nobody', { operation: 'provisionInstance', input });

      await expect(resumed).rejects.toThrow(InvalidInputError);
      await expect(resumed).rejects.toMatchObject({
        faults: [{ path: 'instance.volumes' }, { path: 'instance.name' }],
      });
    }));

  it('gets the reason when a run refuses an update', () =>
    inScenario({ speed: 10 }, async (scenario) => {
      const gcore = clientOf(scenario);
      const workflowId = await startWaiting(scenario);

      const nothingToResume = gcore.resume(workflowId);
      await expect(nothingToResume).rejects.toThrow(UpdateRefusedError);
      await expect(nothingToResume).rejects.toMatchObject({
        type: 'Refused',
        message: 'The run is neither paused nor blocked.',
      });

      await gcore.pause(workflowId);
      const { input } = requestOf(scenario);
      const tooLate = gcore.resume(workflowId, { operation: 'provisionInstance', input });
      await expect(tooLate).rejects.toThrow(/^The step "create instance" has been sent/);
      expect((await gcore.status(workflowId)).phase).toBe('paused');
      await gcore.cancel(workflowId);
    }));

  it.each(['pause', 'resume', 'abort'] as const)(
    'is told that there is no run, or none any more, to %s',
    (word) =>
      inScenario({}, async (scenario) => {
        const gcore = clientOf(scenario);
        const { workflowId } = await gcore.start('provisionInstance', requestOf(scenario));
        await gcore.result('provisionInstance', workflowId);

        await expect(gcore[word]('nobody')).rejects.toThrow(RunNotFoundError);
        await expect(gcore[word](workflowId)).rejects.toThrow(RunEndedError);
      }),
  );
});

describe('an operator of a run without a worker', () => {
  it('learns in time that nothing was sent', () =>
    inScenario({}, async (scenario) => {
      const { client } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue: 'nobody', answerWithinMs: 300 });
      const { workflowId } = await gcore.start('provisionInstance', requestOf(scenario));
      const started = Date.now();

      const paused = gcore.pause(workflowId);

      await expect(paused).rejects.toThrow(NoAnswerError);
      await expect(paused).rejects.toMatchObject({ mayStillCome: false });
      expect(Date.now() - started).toBeLessThan(5_000);
      await client.workflow.getHandle(workflowId).terminate();
    }));

  it('gets no promise that nothing was changed once an update is sent', () =>
    inScenario({ speed: 10 }, async (scenario) => {
      const workflowId = await startWaiting(scenario);
      const { connection } = scenario.client;
      // The worker goes away between the question and the word.
      const lost = new Client({
        connection,
        interceptors: {
          workflow: [
            {
              startUpdate: (input, next) =>
                next({ ...input, workflowExecution: { workflowId: unanswered.workflowId } }),
            },
          ],
        },
      });
      const nobody = createGcoreWorkflows({ client: scenario.client, taskQueue: 'nobody' });
      const unanswered = await nobody.start('provisionInstance', requestOf(scenario));

      const gcore = createGcoreWorkflows({ client: lost, answerWithinMs: 500 });

      await expect(gcore.pause(workflowId)).rejects.toMatchObject({
        name: 'NoAnswerError',
        mayStillCome: true,
      });
      await scenario.client.workflow.getHandle(unanswered.workflowId).terminate();
    }));
});

/** As a history that follows one of less than a second: the Temporal server lets its first workflow task wait. */
async function startLate(
  { client, taskQueue, account }: Scenario,
  startDelay: number,
): Promise<WorkflowHandle> {
  const workflowId = `late-${randomUUID()}`;
  const args = [{ ...provisionInput(), account }];
  return client.workflow.start('provisionInstance', { workflowId, taskQueue, args, startDelay });
}

describe('an operator of a run whose history has not begun', () => {
  it.each(['pause', 'abort'] as const)('is heard when it begins: %s', (word) =>
    inScenario({ speed: 10 }, async (scenario) => {
      const gcore = clientOf(scenario);
      const { workflowId } = await startLate(scenario, 1_000);

      expect((await gcore[word](workflowId)).operation).toBe('provisionInstance');

      if (word === 'pause') await gcore.cancel(workflowId);
      await gcore.result('provisionInstance', workflowId).catch(() => undefined);
    }),
  );

  it('learns within seconds why it is not heard, and that nothing was sent', () =>
    inScenario({ replays: false }, async (scenario) => {
      const gcore = createGcoreWorkflows({ client: scenario.client, answerWithinMs: 60_000 });
      const run = await startLate(scenario, 3_600_000);
      const started = Date.now();

      const paused = gcore.pause(run.workflowId);

      await expect(paused).rejects.toThrow(NoAnswerError);
      await expect(paused).rejects.toMatchObject({
        mayStillCome: false,
        message: expect.stringContaining('asks no worker for the run now ("Workflow task is not'),
      });
      expect(Date.now() - started).toBeLessThan(5_000);
      await run.terminate();
    }));
});

describe('the urgency of a run', () => {
  it.each([
    ['incident', 1],
    [undefined, 3],
    ['bulk', 5],
  ] as const)('is its priority in Temporal: %s', (urgency, priorityKey) =>
    inScenario({}, async (scenario) => {
      const gcore = clientOf(scenario);
      const request = { ...requestOf(scenario), ...(urgency === undefined ? {} : { urgency }) };

      const { workflowId } = await gcore.start('provisionInstance', request);

      const { priority } = await scenario.client.workflow.getHandle(workflowId).describe();
      expect(priority?.priorityKey).toBe(priorityKey);
      await gcore.result('provisionInstance', workflowId);
    }),
  );
});
