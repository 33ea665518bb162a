import proto from '@temporalio/proto';
import { expect, it } from '@jest/globals';

import { createClock } from '../time/clock.js';
import { createDraw } from '../time/draw.js';
import { EventType } from './base/proto.js';
import { toDuration, toPayloads } from './base/values.js';
import { createServer, type ServerOptions } from './create-server.js';

const { CommandType } = proto.temporal.api.enums.v1;
const QUEUE = { name: 'queue' };
const RUN = { workflowId: 'run' };

/** A server and what plays a client and a worker of it. Virtual time passes while an answer is awaited. */
function createStage(seed: number, limits: ServerOptions['limits'] = {}) {
  const clock = createClock(Date.parse('2026-01-01T00:00:00Z'));
  const server = createServer({ clock, draw: createDraw(seed), limits });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const wait = async <T>(answer: Promise<T>): Promise<T> => {
    const answered = new Set<Promise<T>>();
    const note = (): void => {
      answered.add(answer);
    };
    answer.then(note, note);
    for (;;) {
      await settle();
      if (answered.size > 0 || !clock.step()) return answer;
    }
  };
  const call = (rpc: string, request: object): Promise<object> =>
    wait(server.call({ service: 'WorkflowService', rpc, request }));
  const tokenOf = (task: object): unknown => ('taskToken' in task ? task.taskToken : undefined);
  return {
    clock,
    server,
    call,
    pass: (ms: number) =>
      wait(
        new Promise<void>((resolve) => {
          clock.after(ms, resolve);
        }),
      ),
    start: () =>
      call('StartWorkflowExecution', {
        ...RUN,
        workflowType: { name: 'T' },
        taskQueue: QUEUE,
        requestId: 'request',
      }),
    poll: async (kind: 'Workflow' | 'Activity') =>
      tokenOf(await call(`Poll${kind}TaskQueue`, { taskQueue: QUEUE, identity: 'worker' })),
    complete: (taskToken: unknown, commands: readonly object[], extra: object = {}) =>
      call('RespondWorkflowTaskCompleted', { taskToken, commands, ...extra }),
    events: (): string[] =>
      server
        .executions()
        .flatMap(({ history }) => history)
        .map(({ eventType }) => EventType[eventType ?? 0]?.replace('EVENT_TYPE_', '') ?? ''),
  };
}

const activity = (activityId: string, more: object = {}) => ({
  commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
  scheduleActivityTaskCommandAttributes: {
    activityId,
    activityType: { name: 'A' },
    taskQueue: QUEUE,
    startToCloseTimeout: toDuration(10_000),
    ...more,
  },
});
const complete = {
  commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
  completeWorkflowExecutionCommandAttributes: {},
};
const signal = { workflowExecution: RUN, signalName: 'go' };

async function play(seed: number): Promise<string> {
  const stage = createStage(seed);
  await stage.start();
  await stage.complete(await stage.poll('Workflow'), [activity('a'), activity('b')]);
  const taskToken = await stage.poll('Activity');
  await stage.call('RespondActivityTaskFailed', { taskToken, failure: { message: 'no' } });
  await stage.call('SignalWorkflowExecution', signal);
  await stage.pass(5_000);
  return JSON.stringify(stage.server.executions().map(({ history }) => history));
}

it('does the same for the same seed, and other things for another one', async () => {
  const first = await play(7);
  expect(await play(7)).toBe(first);
  expect(await play(8)).not.toBe(first);
});

it('keeps back what comes while a worker is at it, and refuses to close over it', async () => {
  const stage = createStage(1);
  await stage.start();
  const task = await stage.poll('Workflow');
  await stage.call('SignalWorkflowExecution', signal);
  await expect(stage.complete(task, [complete])).rejects.toThrow('UnhandledCommand');
  await stage.complete(await stage.poll('Workflow'), [complete]);
  expect(stage.events()).toEqual([
    ...['WORKFLOW_EXECUTION_STARTED', 'WORKFLOW_TASK_SCHEDULED', 'WORKFLOW_TASK_STARTED'],
    ...['WORKFLOW_TASK_FAILED', 'WORKFLOW_EXECUTION_SIGNALED', 'WORKFLOW_TASK_SCHEDULED'],
    ...['WORKFLOW_TASK_STARTED', 'WORKFLOW_TASK_COMPLETED', 'WORKFLOW_EXECUTION_COMPLETED'],
  ]);
});

it('writes nothing of a repeated workflow task until it completes', async () => {
  const stage = createStage(1);
  await stage.start();
  await stage.poll('Workflow');
  await stage.pass(10_100);
  const second = await stage.poll('Workflow');
  expect(stage.events().slice(3)).toEqual(['WORKFLOW_TASK_TIMED_OUT']);
  await stage.complete(second, [complete]);
  expect(stage.events().slice(4)).toEqual([
    ...['WORKFLOW_TASK_SCHEDULED', 'WORKFLOW_TASK_STARTED', 'WORKFLOW_TASK_COMPLETED'],
    'WORKFLOW_EXECUTION_COMPLETED',
  ]);
});

it('does not repeat an attempt that timed out once its cancel is requested', async () => {
  const stage = createStage(1);
  await stage.start();
  await stage.complete(await stage.poll('Workflow'), [activity('a')]);
  await stage.poll('Activity');
  await stage.call('SignalWorkflowExecution', signal);
  await stage.complete(await stage.poll('Workflow'), [
    {
      commandType: CommandType.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK,
      requestCancelActivityTaskCommandAttributes: { scheduledEventId: 5 },
    },
  ]);
  await stage.pass(11_000);
  expect(stage.events().slice(-3)).toEqual([
    ...['ACTIVITY_TASK_STARTED', 'ACTIVITY_TASK_TIMED_OUT', 'WORKFLOW_TASK_SCHEDULED'],
  ]);
});

it('hands out the tasks of a queue at its rate, the urgent ones first', async () => {
  const stage = createStage(1);
  await stage.start();
  const names = Array.from({ length: 30 }, (_, index) => `a${index}`);
  await stage.complete(await stage.poll('Workflow'), [
    ...names.map((name) => activity(name)),
    activity('urgent', { priority: { priorityKey: 1 } }),
  ]);
  await stage.pass(100);
  const begins = stage.clock.now();
  const order: unknown[] = [];
  for (let count = 0; count < 25; count += 1) {
    const task = await stage.call('PollActivityTaskQueue', {
      taskQueue: QUEUE,
      taskQueueMetadata: { maxTasksPerSecond: { value: 5 } },
    });
    order.push('activityId' in task ? task.activityId : undefined);
  }
  expect(order[0]).toBe('urgent');
  // Five at once, and twenty at five a second.
  expect(stage.clock.now() - begins).toBeGreaterThan(3_500);
  expect(stage.clock.now() - begins).toBeLessThan(4_500);
});

it('answers an empty poll after a minute', async () => {
  const stage = createStage(1);
  const begins = stage.clock.now();
  expect(await stage.poll('Activity')).toBeUndefined();
  const took = stage.clock.now() - begins;
  expect(took).toBeGreaterThan(55_000);
  expect(took).toBeLessThanOrEqual(60_000);
});

it('resets a run to one of its workflow tasks, with the signals since', async () => {
  const stage = createStage(1);
  await stage.start();
  await stage.complete(await stage.poll('Workflow'), [activity('a')]);
  const taskToken = await stage.poll('Activity');
  await stage.call('RespondActivityTaskCompleted', { taskToken, result: toPayloads(1) });
  await stage.call('SignalWorkflowExecution', signal);
  await stage.call('ResetWorkflowExecution', {
    workflowExecution: RUN,
    workflowTaskFinishEventId: 4,
    reason: 'again',
  });
  const [before, after] = stage.server.executions();
  expect(before?.history.at(-1)?.workflowExecutionTerminatedEventAttributes?.reason).toBe('again');
  expect(after?.history.map(({ eventType }) => EventType[eventType ?? 0])).toEqual([
    'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED',
    'EVENT_TYPE_WORKFLOW_TASK_SCHEDULED',
    'EVENT_TYPE_WORKFLOW_TASK_STARTED',
    'EVENT_TYPE_WORKFLOW_TASK_FAILED',
    'EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED',
    'EVENT_TYPE_WORKFLOW_TASK_SCHEDULED',
  ]);
});
