import { randomUUID } from 'node:crypto';

import type { WorkflowHandle } from '@temporalio/client';
import Long from 'long';

import { attributes } from '../attributes.js';
import {
  createGate,
  easy,
  EventType,
  outcomeOf,
  refusal,
  ResetReapplyExcludeType,
  script,
  untilEvent,
  untilIdle,
  type Handle,
  type Stage,
} from './kit.js';

const continuing = [
  script('a run continues as new until it has counted to zero', async (stage) => {
    await stage.worker();
    return stage.outcome('countsDown', {
      args: [2],
      memo: { kept: true },
      typedSearchAttributes: attributes('kept'),
      workflowRunTimeout: '1 hour',
    });
  }),

  script('a run continues as another workflow with other options', async (stage) => {
    await stage.worker();
    return stage.outcome('becomesAnother', {
      memo: { first: true },
      typedSearchAttributes: attributes('early', ['a']),
    });
  }),

  script('a signal during the task that continues as new is not lost', async (stage) => {
    const [started, gate] = [createGate(), createGate()];
    await stage.worker({
      perform: async () => {
        started.open();
        await gate.opened;
      },
    });
    const run = await stage.start('continuesWhileTold');
    await started.opened;
    await run.signal('go', 'in the middle');
    gate.open();
    return outcomeOf(run.result());
  }),

  script('a long history suggests to continue as new', async (stage) => {
    await stage.worker();
    const run = await stage.start('asksWhetherToContinue');
    // Megabytes are compared by no one.
    stage.forget(run);
    for (let count = 1; count <= 5; count += 1) {
      await stage.eventually('the end of the task', async () => {
        const { historyLength, raw } = await run.describe();
        return historyLength >= 4 * count && raw.pendingWorkflowTask === null;
      });
      await run.signal('go', 'x'.repeat(1_000_000));
    }
    return outcomeOf(run.result());
  }),
];

interface Reset {
  /** The event that ends the task to which the run goes back. */
  to: number;
  exclude?: number[];
}

async function resetRun(
  stage: Stage,
  run: WorkflowHandle,
  { to, exclude = [] }: Reset,
): Promise<WorkflowHandle> {
  const { connection, namespace, client } = stage;
  const { workflowId } = run;
  const { runId } = await connection.workflowService.resetWorkflowExecution({
    ...{ namespace, workflowExecution: { workflowId }, requestId: randomUUID() },
    ...{ reason: 'by hand', workflowTaskFinishEventId: Long.fromNumber(to), identity: 'by-hand' },
    resetReapplyExcludeTypes: exclude,
  });
  stage.watch({ workflowId, runId });
  return client.workflow.getHandle(workflowId);
}

const resets = [
  script('a run goes back to its first task', async (stage) => {
    await stage.worker(easy);
    const run = await stage.start('steps');
    await untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_COMPLETED']);
    await untilIdle(stage, run.workflowId);
    const next = await resetRun(stage, run, { to: 4 });
    await untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_COMPLETED']);
    await untilIdle(stage, run.workflowId);
    await next.signal('go', 1);
    await untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_COMPLETED', 2]);
    await untilIdle(stage, run.workflowId);
    await next.signal('go', 2);
    return outcomeOf(next.result());
  }),

  script('a run goes back, and its signals are applied again', async (stage) => {
    const next = await resetAfterSignal(stage, []);
    await next.signal('go', 2);
    return outcomeOf(next.result());
  }),

  script('a run goes back without its signals', async (stage) => {
    const signals = ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL;
    const next = await resetAfterSignal(stage, [signals]);
    await next.signal('go', 'another');
    await untilEvent(stage, next.workflowId, ['ACTIVITY_TASK_COMPLETED', 2]);
    await untilIdle(stage, next.workflowId);
    await next.signal('go', 2);
    return outcomeOf(next.result());
  }),

  script('a closed run goes back', async (stage) => {
    await stage.worker(easy);
    const run = await stage.start('echo', { args: ['again'] });
    await run.result();
    const next = await resetRun(stage, run, { to: 4 });
    const ended = await outcomeOf(next.result());
    return { ended, first: await outcomeOf(run.result()) };
  }),

  script('a run goes back while an activity and a timer wait', async (stage) => {
    const [started, gate] = [createGate(), createGate()];
    let count = 0;
    await stage.worker({
      perform: async () => {
        count += 1;
        started.open();
        if (count === 1) await gate.opened;
        return count;
      },
    });
    const run = await stage.start('sleepsAndPerforms');
    await started.opened;
    await untilIdle(stage, run.workflowId);
    const next = await resetRun(stage, run, { to: 4 });
    const result = await outcomeOf(next.result());
    gate.open();
    return result;
  }),

  script(
    'a run goes back to a task after its timer and its activity began',
    async (stage) => {
      const gate = createGate();
      await stage.worker({
        perform: async () => {
          await gate.opened;
          return 'late';
        },
      });
      const run = await stage.start('performsAndWaits', { args: ['first'] });
      await untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_SCHEDULED']);
      await untilIdle(stage, run.workflowId);
      await run.signal('go', 1);
      await untilEvent(stage, run.workflowId, ['WORKFLOW_TASK_COMPLETED', 2]);
      const { events } = await run.fetchHistory();
      const [, second] = (events ?? []).filter(
        ({ eventType }) => eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
      );
      const next = await resetRun(stage, run, { to: Number(second?.eventId) });
      gate.open();
      return outcomeOf(next.result());
    },
    7,
  ),

  script('a run goes back that has a child', async (stage) => {
    await stage.worker(easy);
    const child = { workflowId: stage.id('child'), args: [] };
    const run = await stage.start('parentThatWaits', { args: ['waitForGo', child] });
    await untilEvent(stage, run.workflowId, ['CHILD_WORKFLOW_EXECUTION_STARTED']);
    await untilIdle(stage, run.workflowId);
    await untilIdle(stage, stage.id('child'));
    const refused = await refusal(resetRun(stage, run, { to: 4 }));
    const ended = await outcomeOf(stage.client.workflow.getHandle(run.workflowId).result());
    await stage.client.workflow.getHandle(stage.id('child')).terminate('left over');
    return { refused, ended };
  }),

  script('a run goes back to before the end of its child', async (stage) => {
    const run = await parentOfOne(stage);
    await endChild(stage);
    await run.result();
    const next = await resetRun(stage, run, { to: 9 });
    return endWithin(stage, next);
  }),

  script('a run goes back while its child goes on', async (stage) => {
    const run = await parentOfOne(stage);
    const next = await resetRun(stage, run, { to: 9 });
    await untilIdle(stage, run.workflowId);
    await endChild(stage);
    return endWithin(stage, next);
  }),

  script('the child of a run goes back', async (stage) => {
    const run = await parentOfOne(stage);
    await resetChild(stage);
    await endChild(stage);
    return endWithin(stage, run);
  }),

  script('a run and its child go back', async (stage) => {
    const run = await parentOfOne(stage);
    const next = await resetRun(stage, run, { to: 9 });
    await untilIdle(stage, run.workflowId);
    await resetChild(stage);
    await endChild(stage);
    return endWithin(stage, next);
  }),

  script('a child and then its run go back', async (stage) => {
    const run = await parentOfOne(stage);
    await resetChild(stage);
    const next = await resetRun(stage, run, { to: 9 });
    await untilIdle(stage, run.workflowId);
    await endChild(stage);
    return endWithin(stage, next);
  }),

  script('a run cannot go back to an event that ends no task', async (stage) => {
    await stage.worker(easy);
    const run = await stage.start('echo');
    await run.result();
    const refused: unknown[] = [];
    for (const to of [0, 1, 5, 77]) {
      refused.push(await refusal(resetRun(stage, run, { to })));
    }
    return refused;
  }),
];

/** A run that waits for the end of its child, and has had a task since that began. */
async function parentOfOne(stage: Stage): Promise<Handle> {
  await stage.worker(easy);
  const child = { workflowId: stage.id('child'), args: [] };
  const run = await stage.start('parent', { args: ['waitForGo', child] });
  await untilEvent(stage, run.workflowId, ['WORKFLOW_TASK_COMPLETED', 2]);
  await untilIdle(stage, child.workflowId);
  return run;
}

async function resetChild(stage: Stage): Promise<void> {
  await resetRun(stage, stage.client.workflow.getHandle(stage.id('child')), { to: 4 });
  await untilIdle(stage, stage.id('child'));
}

async function endChild(stage: Stage): Promise<void> {
  const child = stage.client.workflow.getHandle(stage.id('child'));
  await child.signal('go', 'end');
  await child.result();
}

/** The end of a run that may wait for ever. */
async function endWithin(stage: Stage, run: WorkflowHandle): Promise<unknown> {
  const waits = stage.pass(5_000).then(() => 'it waits');
  const ended = await Promise.race([outcomeOf(run.result()), waits]);
  if (ended === 'it waits') await run.terminate('left over');
  return ended;
}

/** A run that got a signal, and goes back to the task before it. */
async function resetAfterSignal(stage: Stage, exclude: number[]): Promise<WorkflowHandle> {
  await stage.worker(easy);
  const run = await stage.start('steps');
  await untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_COMPLETED']);
  await untilIdle(stage, run.workflowId);
  await run.signal('go', 'kept');
  await untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_COMPLETED', 2]);
  await untilIdle(stage, run.workflowId);
  const next = await resetRun(stage, run, { to: 10, exclude });
  await untilIdle(stage, run.workflowId);
  if (exclude.length > 0) return next;
  await untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_COMPLETED', 2]);
  await untilIdle(stage, run.workflowId);
  return next;
}

export const chains = [...continuing, ...resets];
