import { randomUUID } from 'node:crypto';

import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';

import { attributes } from '../attributes.js';

import {
  described,
  easy,
  outcomeOf,
  refusal,
  script,
  untilIdle,
  type Handle,
  type Stage,
} from './kit.js';

const UNKNOWN = defineSearchAttributeKey('NoSuchAttribute', 'KEYWORD');

type Ending = readonly [string, (stage: Stage) => Promise<Handle>];

/** How a run may have ended. */
const ENDINGS: readonly Ending[] = [
  ['completed', (stage) => stage.start('echo')],
  ['failed', (stage) => stage.start('fail', { args: ['Purpose'] })],
  [
    'cancelled',
    async (stage) => {
      const run = await stage.start('sleepFor', { args: [60_000] });
      await untilIdle(stage, run.workflowId);
      await run.cancel();
      return run;
    },
  ],
  [
    'terminated',
    async (stage) => {
      const run = await stage.start('sleepFor', { args: [60_000] });
      await untilIdle(stage, run.workflowId);
      await run.terminate('enough');
      return run;
    },
  ],
  [
    'timed out',
    (stage) =>
      stage.start('echo', { taskQueue: stage.id('nobody'), workflowExecutionTimeout: '1s' }),
  ],
];

const { ALLOW_DUPLICATE, ALLOW_DUPLICATE_FAILED_ONLY, REJECT_DUPLICATE } = WorkflowIdReusePolicy;

const reuses = [ALLOW_DUPLICATE, ALLOW_DUPLICATE_FAILED_ONLY, REJECT_DUPLICATE].flatMap(
  (workflowIdReusePolicy) =>
    ENDINGS.map(([how, end]) =>
      script(`${workflowIdReusePolicy} of an id whose run has ${how}`, async (stage) => {
        await stage.worker();
        const first = await outcomeOf((await end(stage)).result());
        const second = stage.outcome('echo', { args: ['second'], workflowIdReusePolicy });
        return { first, second: await outcomeOf(second) };
      }),
    ),
);

const conflicts = Object.values(WorkflowIdConflictPolicy).map((workflowIdConflictPolicy) =>
  script(`${workflowIdConflictPolicy} of an id whose run is running`, async (stage) => {
    await stage.worker();
    const first = await stage.start('waitForGo');
    await untilIdle(stage, first.workflowId);
    const second = await outcomeOf(
      stage.start('waitForGo', { workflowIdConflictPolicy }).then(async (run) => {
        await untilIdle(stage, run.workflowId);
        return run.firstExecutionRunId === first.firstExecutionRunId ? 'the same run' : 'another';
      }),
    );
    await stage.client.workflow.getHandle(first.workflowId).signal('go', 1);
    const ended = await outcomeOf(stage.client.workflow.getHandle(first.workflowId).result());
    return { second, ended, first: await outcomeOf(first.result()) };
  }),
);

export const starts = [
  ...reuses,
  ...conflicts,

  script('two starts with one request id make one run', async (stage) => {
    const { connection, namespace, taskQueue } = stage;
    const request = {
      ...{ namespace, workflowId: stage.id('run'), requestId: randomUUID(), identity: 'by-hand' },
      workflowType: { name: 'echo' },
      taskQueue: { name: taskQueue },
    };
    const { workflowService } = connection;
    const first = await workflowService.startWorkflowExecution(request);
    const second = await workflowService.startWorkflowExecution(request);
    stage.watch({ workflowId: request.workflowId, runId: first.runId });
    const third = refusal(
      workflowService.startWorkflowExecution({ ...request, requestId: randomUUID() }),
    );
    return {
      isSame: first.runId === second.runId,
      started: [first.started, second.started],
      third: await third,
    };
  }),

  script('a start may be delayed', async (stage) => {
    await stage.worker();
    const run = await stage.start('aboutItself', { startDelay: '1s' });
    const early = await described(run);
    return { early, ended: await outcomeOf(run.result()) };
  }),

  script('a signal cuts a start delay short', async (stage) => {
    await stage.worker();
    const run = await stage.start('waitForGo', { startDelay: '2s' });
    await run.signal('go', 'early');
    await stage.pass(500);
    return { soon: await described(run), ended: await outcomeOf(run.result()) };
  }),

  script('a cancellation during a start delay', async (stage) => {
    await stage.worker(easy);
    const run = await stage.start('cancellable', { startDelay: '1s' });
    await run.cancel();
    return outcomeOf(run.result());
  }),

  script('the execution timeout ends a run', async (stage) => {
    await stage.worker();
    return stage.outcome('sleepFor', { args: [60_000], workflowExecutionTimeout: '4s' });
  }),

  script('the run timeout ends a run that no worker has taken', (stage) =>
    stage.outcome('sleepFor', { args: [60_000], workflowRunTimeout: '1s' }),
  ),

  script('a run timeout longer than the execution timeout is cut', async (stage) => {
    await stage.worker();
    return stage.outcome('aboutItself', {
      workflowRunTimeout: '1 hour',
      workflowExecutionTimeout: '1 minute',
    });
  }),

  script(
    'a run that timed out is retried by its policy',
    async (stage) => {
      await stage.worker();
      return stage.outcome('sleepFor', {
        ...{ args: [60_000], workflowRunTimeout: '4s' },
        retry: { maximumAttempts: 2, initialInterval: '100ms' },
      });
    },
    9,
  ),

  script(
    'the execution timeout ends a chain',
    async (stage) => {
      await stage.worker();
      return stage.outcome('continuesAndSleeps', { workflowExecutionTimeout: '5s' });
    },
    6,
  ),

  script('an activity has no more time than its run', async (stage) => {
    await stage.worker(easy);
    const args = [{ startToCloseTimeout: '1 hour', heartbeatTimeout: '2 hours' }];
    return stage.outcome('performs', { args, workflowRunTimeout: '1 minute' });
  }),

  script('a run knows how it was started', async (stage) => {
    await stage.worker();
    const run = await stage.start('aboutItself', {
      memo: { for: ['the record'] },
      typedSearchAttributes: attributes('early', ['a', 'b']),
      staticSummary: 'a summary',
      staticDetails: 'some details',
      workflowTaskTimeout: '7s',
    });
    const ended = await outcomeOf(run.result());
    return { ended, described: await described(run) };
  }),

  script('a start with an unknown search attribute is refused', (stage) =>
    outcomeOf(stage.start('echo', { typedSearchAttributes: [{ key: UNKNOWN, value: 'x' }] })),
  ),
];
