import { easy, outcomeOf, script, untilIdle, type Handle, type Stage } from './kit.js';

async function idle(stage: Stage, ...args: Parameters<Stage['start']>): Promise<Handle> {
  await stage.worker(easy);
  const run = await stage.start(...args);
  await untilIdle(stage, run.workflowId);
  return run;
}

const timers = [
  script('timers fire in the order of their times', async (stage) => {
    await stage.worker();
    return stage.outcome('timersInOrder');
  }),

  script('many timers are cancelled', async (stage) => {
    await stage.worker();
    return stage.outcome('cancelledTimers');
  }),

  script('a timer that is cancelled in the task that starts it', async (stage) => {
    await stage.worker();
    return stage.outcome('timerCancelledAtOnce');
  }),

  script('timers of no time', async (stage) => {
    await stage.worker();
    return stage.outcome('zeroTimers');
  }),

  script('a scope with a timeout', async (stage) => {
    await stage.worker();
    return stage.outcome('timeoutScope');
  }),

  script('conditions with and without the time they have', async (stage) => {
    await stage.worker();
    const run = await stage.start('conditionsWithTimeout');
    await stage.eventually('the second timer', async () => {
      const { raw } = await run.describe();
      return Number(raw.workflowExecutionInfo?.historyLength) >= 10;
    });
    await run.signal('go');
    return outcomeOf(run.result());
  }),
];

const cancels = [
  script('a run is cancelled after its first task', async (stage) => {
    const run = await idle(stage, 'cancellable');
    await run.cancel();
    return outcomeOf(run.result());
  }),

  script('a run is cancelled before its first task', async (stage) => {
    const run = await stage.start('cancellable');
    await run.cancel();
    await stage.worker(easy);
    return outcomeOf(run.result());
  }),

  script('a run is cancelled twice', async (stage) => {
    const run = await stage.start('cancellable');
    await run.cancel();
    const again = await outcomeOf(run.cancel());
    await stage.worker(easy);
    const ended = await outcomeOf(run.result());
    const late = await outcomeOf(run.cancel().then(() => 'done'));
    return { again: again === undefined ? 'done' : 'asked', ended, late };
  }),

  script('a run ignores that it is cancelled', async (stage) => {
    const run = await idle(stage, 'ignoresCancel');
    await run.cancel();
    return outcomeOf(run.result());
  }),

  script('a scope that cannot be cancelled goes on', async (stage) => {
    const run = await idle(stage, 'nonCancellableSleep');
    await run.cancel();
    return outcomeOf(run.result());
  }),

  script('an unknown run cannot be cancelled', ({ client, id }) =>
    outcomeOf(client.workflow.getHandle(id('nobody')).cancel()),
  ),

  script('a run is terminated', async (stage) => {
    const run = await idle(stage, 'sleepFor', { args: [60_000] });
    await run.terminate('enough');
    return outcomeOf(run.result());
  }),

  script('a run is terminated before its first task', async (stage) => {
    const run = await stage.start('echo');
    await run.terminate();
    const again = await outcomeOf(run.terminate());
    return { again, ended: await outcomeOf(run.result()) };
  }),

  script('only the chain that is meant is terminated', async (stage) => {
    const run = await idle(stage, 'sleepFor', { args: [60_000] });
    const firstExecutionRunId = '6b1b1d41-0000-4000-8000-000000000000';
    const handle = stage.client.workflow.getHandle(run.workflowId, undefined, {
      firstExecutionRunId,
    });
    const refused = await outcomeOf(handle.terminate('the wrong one'));
    await run.terminate('the right one');
    return { refused, ended: await outcomeOf(run.result()) };
  }),

  script(
    'a run is deleted',
    async (stage) => {
      const run = await idle(stage, 'echo');
      await run.result();
      const { workflowService } = stage.connection;
      const { namespace } = stage;
      const workflowExecution = { workflowId: run.workflowId };
      await workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
      let gone: unknown;
      await stage.eventually('the end of it', async () => {
        gone = await outcomeOf(run.describe().then(() => 'there'));
        return !JSON.stringify(gone).includes('there');
      });
      return gone;
    },
    20,
  ),
];

export const scopesAndTimers = [...timers, ...cancels];
