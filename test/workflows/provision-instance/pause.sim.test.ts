import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import {
  WithStartWorkflowOperation,
  WorkflowUpdateFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';

import {
  abortUpdate,
  pauseUpdate,
  resumeUpdate,
  statusQuery,
} from '../../../src/engine/core/messages.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
import { holdTaskReads } from '../../support/worlds/hold-task-reads.js';
const LIST = { method: 'GET', path: '/cloud/v1/instances/1/1' };

const untilStep = (run: WorkflowHandle, step: number, state: string): Promise<void> =>
  until(`step ${step} is ${state}`, async () => {
    const { steps } = await run.query(statusQuery);
    return steps[step]?.state === state;
  });

describe('a paused run', () => {
  it('sends nothing until it is resumed', () =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      simulator.faults.add({
        match: { ...LIST, times: Infinity },
        action: { kind: 'status', status: 503 },
      });
      const run = await start('provisionInstance', provisionInput());
      const looks = () => simulator.requests.filter(({ path }) => path === LIST.path).length;
      await until('the first lookup is sent', () => looks() > 0);

      const { phase } = await run.executeUpdate(pauseUpdate);
      simulator.faults.clear();
      const before = looks();
      await until('the lookup is answered', () => looks() > before);
      // The run answers the query after it has processed the answer to the lookup.
      await until('nothing is left to do', async () => {
        const { pendingActivities } = (await run.describe()).raw;
        return (pendingActivities ?? []).length === 0;
      });

      expect(phase).toBe('paused');
      expect((await run.query(statusQuery)).phase).toBe('paused');
      expect(mutations()).toEqual([]);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
    }));

  it('may be paused in the request that starts it', () =>
    inScenario({}, async ({ client, taskQueue, account, mutations }) => {
      const start = new WithStartWorkflowOperation('provisionInstance', {
        workflowId: `paused-at-once/${randomUUID()}`,
        taskQueue,
        args: [{ ...provisionInput(), account }],
        workflowIdConflictPolicy: 'FAIL',
      });
      await client.workflow.executeUpdateWithStart(pauseUpdate, { startWorkflowOperation: start });
      const run = await start.workflowHandle();

      expect((await run.query(statusQuery)).phase).toBe('paused');
      expect(mutations()).toEqual([]);
      const { events = [] } = await run.fetchHistory();
      expect(events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
    }));

  it('reads the instance again after a long pause before it reports success', () =>
    // Slow enough for the pause to come before the task has finished, on a busy machine too.
    inScenario({ speed: 20 }, async ({ start, simulator }) => {
      const run = await start('provisionInstance', provisionInput());
      await untilStep(run, 0, 'waiting');
      await run.executeUpdate(pauseUpdate);
      await untilStep(run, 0, 'verified');
      const readAt = Date.now();
      await until('what was read then is old', () => Date.now() - readAt > 5_500);
      const before = simulator.requests.length;
      await run.executeUpdate(resumeUpdate, { args: [{}] });

      await run.result();

      const later = simulator.requests.slice(before).map(({ method }) => method);
      expect(later).toEqual(['GET']);
    }));

  it('uses a corrected input if it was paused before it sent its call', () =>
    inScenario({}, async ({ start, simulator, account }) => {
      simulator.faults.add({
        match: { ...LIST, times: Infinity },
        action: { kind: 'status', status: 503 },
      });
      const run = await start('provisionInstance', provisionInput());
      const looks = () => simulator.requests.filter(({ path }) => path === LIST.path).length;
      await until('the first lookup is sent', () => looks() > 0);
      await run.executeUpdate(pauseUpdate);
      simulator.faults.clear();
      await until('nothing is left to do', async () => {
        const { raw } = await run.describe();
        return (raw.pendingActivities ?? []).length === 0;
      });

      const input = { ...provisionInput({ flavor: 'g2-standard-4-8' }), account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });
      const { flavor } = await run.result();

      expect(flavor).toBe('g2-standard-4-8');
      expect(simulator.inventory().instances).toHaveLength(1);
    }));

  it('waits for its running task, and begins no other step', () =>
    inScenario({ speed: 20 }, async ({ start, simulator }) => {
      const release = holdTaskReads(simulator);
      const run = await start('provisionInstance', provisionInput());
      await untilStep(run, 0, 'waiting');

      await run.executeUpdate(pauseUpdate);
      release();
      await untilStep(run, 0, 'verified');

      const { phase, steps } = await run.query(statusQuery);
      expect(phase).toBe('paused');
      expect(steps[1]?.state).toBe('planned');
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      expect((await run.result()).status).toBe('ACTIVE');
      expect(simulator.inventory().instances).toHaveLength(1);
    }));

  it('removes its resources when it is cancelled', () =>
    inScenario({ speed: 20 }, async ({ start, simulator }) => {
      const release = holdTaskReads(simulator);
      const run = await start('provisionInstance', provisionInput());
      await untilStep(run, 0, 'waiting');
      await run.executeUpdate(pauseUpdate);
      release();
      await untilStep(run, 0, 'verified');

      await run.cancel();

      expect(await endOfRun(run)).toBeInstanceOf(CancelledFailure);
      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
    }));

  it('removes nothing while it is paused in its rollback', () =>
    inScenario({ speed: 20 }, async ({ start, simulator, mutations }) => {
      const release = holdTaskReads(simulator);
      const run = await start('provisionInstance', provisionInput());
      await untilStep(run, 0, 'waiting');
      await run.cancel();
      await until('the run rolls back', async () => {
        const { phase } = await run.query(statusQuery);
        return phase === 'rolling-back';
      });
      await run.executeUpdate(pauseUpdate);
      release();
      const tasks = () => simulator.inventory().tasks;
      await until('the task has ended', () => tasks().every(({ state }) => state === 'FINISHED'));
      await until('nothing is left to do', async () => {
        const { raw } = await run.describe();
        return (raw.pendingActivities ?? []).length === 0;
      });

      expect(mutations().filter((call) => call.startsWith('DELETE'))).toEqual([]);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await endOfRun(run);
      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
    }));
});

describe('an update from an operator', () => {
  it('is refused if there is nothing to resume', () =>
    inScenario({ speed: 10 }, async ({ start, simulator }) => {
      const release = holdTaskReads(simulator);
      const run = await start('provisionInstance', provisionInput());
      await untilStep(run, 0, 'waiting');

      const resumed = run.executeUpdate(resumeUpdate, { args: [{}] });

      await expect(resumed).rejects.toThrow(WorkflowUpdateFailedError);
      release();
      await run.result();
    }));

  it('cannot change the input after the call has been sent', () =>
    inScenario({ speed: 10 }, async ({ start, simulator, account }) => {
      const release = holdTaskReads(simulator);
      const run = await start('provisionInstance', provisionInput());
      await untilStep(run, 0, 'waiting');
      await run.executeUpdate(pauseUpdate);
      release();

      const input = { ...provisionInput({ flavor: 'g2-standard-4-8' }), account };
      const resumed = run.executeUpdate(resumeUpdate, { args: [{ input }] });

      await expect(resumed).rejects.toMatchObject({
        cause: { type: 'Refused', message: expect.stringContaining('has been sent') },
      });
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();
    }));

  it('aborts a run, which removes its resources and reports the reason', () =>
    inScenario({ speed: 10, record: 'aborted' }, async ({ start, simulator }) => {
      const release = holdTaskReads(simulator);
      const run = await start('provisionInstance', provisionInput());
      await untilStep(run, 0, 'waiting');

      await run.executeUpdate(abortUpdate, { args: [{ reason: 'wrong region' }] });
      release();
      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({
        type: 'Aborted',
        message: expect.stringContaining('wrong region'),
        details: { resources: [], operation: 'provisionInstance' },
      });
      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
    }));

  it('aborts a run, which keeps its resources with onFailure "keep"', () =>
    inScenario({ speed: 10 }, async ({ start, simulator }) => {
      const release = holdTaskReads(simulator);
      const run = await start('provisionInstance', provisionInput({}, { onFailure: 'keep' }));
      await untilStep(run, 0, 'waiting');

      await run.executeUpdate(abortUpdate, { args: [{}] });
      release();
      const failed = await failureOfRun(run);

      const [instance] = simulator.inventory().instances;
      expect(failed.details.resources).toContainEqual({ kind: 'instance', id: instance?.id });
    }));
});
