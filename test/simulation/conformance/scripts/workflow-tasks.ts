import { plainAttributes } from '../attributes.js';
import { outcomeOf, refusal, script, untilEvent, untilIdle, type Stage } from './kit.js';

/** Takes the next workflow task as a worker does, and does nothing with it. */
async function takeTask({ connection, namespace, taskQueue }: Stage) {
  return connection.workflowService.pollWorkflowTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    identity: 'by-hand',
  });
}

export const workflowTasks = [
  script('a run that returns at once', async (stage) => {
    await stage.worker();
    return stage.outcome('echo', { args: ['a', { b: [1, null] }] });
  }),

  script('a run that returns nothing', async (stage) => {
    await stage.worker();
    return stage.outcome('echo', { args: [] });
  }),

  script('a run that fails with an application failure', async (stage) => {
    await stage.worker();
    return stage.outcome('fail', { args: ['Purpose'] });
  }),

  script('a run that fails with a failure that must not be retried', async (stage) => {
    await stage.worker();
    const retry = { maximumAttempts: 3 };
    return stage.outcome('fail', { args: ['Purpose', true], retry });
  }),

  script('a run that is retried by its own policy', async (stage) => {
    await stage.worker();
    return stage.outcome('failOnce', { retry: { maximumAttempts: 3, initialInterval: '200ms' } });
  }),

  script('a run whose retries are used up', async (stage) => {
    await stage.worker();
    return stage.outcome('fail', {
      args: ['Purpose'],
      retry: { maximumAttempts: 2, initialInterval: '100ms' },
    });
  }),

  script(
    'a task that fails of a mistake is tried again until the run is mended',
    async (stage) => {
      await stage.worker();
      const run = await stage.start('brokenUntilMended');
      await untilIdle(stage, run.workflowId);
      await run.signal('go');
      await untilEvent(stage, run.workflowId, ['WORKFLOW_TASK_FAILED']);
      await stage.pass(1_500);
      const { typedSearchAttributes } = await run.describe();
      await run.signal('mend');
      return { ended: await outcomeOf(run.result()), ...plainAttributes(typedSearchAttributes) };
    },
    12,
  ),

  script('a task that nobody answers times out, and another worker takes it', async (stage) => {
    const run = await stage.start('echo', { args: [1], workflowTaskTimeout: '1s' });
    const { attempt, startedEventId, history } = await takeTask(stage);
    await untilEvent(stage, run.workflowId, ['WORKFLOW_TASK_TIMED_OUT']);
    await stage.worker();
    const ended = await outcomeOf(run.result());
    return {
      attempt,
      startedEventId: Number(startedEventId),
      events: history?.events?.length,
      ended,
    };
  }),

  script('a late answer to a task that has timed out is refused', async (stage) => {
    const { connection, namespace } = stage;
    const run = await stage.start('echo', { args: [1], workflowTaskTimeout: '1s' });
    const { taskToken } = await takeTask(stage);
    await untilEvent(stage, run.workflowId, ['WORKFLOW_TASK_TIMED_OUT']);
    const late = await refusal(
      connection.workflowService.respondWorkflowTaskCompleted({
        namespace,
        taskToken,
        commands: [],
      }),
    );
    await stage.worker();
    return { late, ended: await outcomeOf(run.result()) };
  }),

  script('a task that a worker says has failed is tried again', async (stage) => {
    const { connection, namespace } = stage;
    const run = await stage.start('echo', { args: [1] });
    const { taskToken } = await takeTask(stage);
    await connection.workflowService.respondWorkflowTaskFailed({
      ...{ namespace, taskToken, identity: 'by-hand' },
      failure: { message: 'by hand', applicationFailureInfo: { type: 'ByHand' } },
    });
    await stage.worker();
    return outcomeOf(run.result());
  }),

  script('an update whose task nobody answers is sent again', async (stage) => {
    const run = await stage.start('collector', { workflowTaskTimeout: '1s' });
    const { connection, namespace } = stage;
    const { taskToken } = await takeTask(stage);
    await connection.workflowService.respondWorkflowTaskCompleted({ namespace, taskToken });
    const update = outcomeOf(run.executeUpdate('add', { args: ['x'], updateId: 'the-update' }));
    const { messages, history } = await takeTask(stage);
    await stage.pass(1_800);
    const again = await takeTask(stage);
    await run.terminate('enough');
    return {
      ...{ sent: messages.length, events: history?.events?.length },
      ...{ again: again.messages.length, attempt: again.attempt },
      update: await update,
    };
  }),

  script('a task whose failure keeps coming back tells its attempt', async (stage) => {
    const { connection, namespace } = stage;
    await stage.start('echo');
    const attempts: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { taskToken, attempt, history } = await takeTask(stage);
      attempts.push({ attempt, events: history?.events?.length });
      await connection.workflowService.respondWorkflowTaskFailed({ namespace, taskToken });
    }
    return attempts;
  }),

  script('a run of a type that no worker knows fails its task', async (stage) => {
    await stage.worker();
    const { client, taskQueue } = stage;
    const run = await client.workflow.start('unknown', { taskQueue, workflowId: stage.id('run') });
    await untilEvent(stage, run.workflowId, ['WORKFLOW_TASK_FAILED']);
    await run.terminate();
    return outcomeOf(run.result());
  }),
];
