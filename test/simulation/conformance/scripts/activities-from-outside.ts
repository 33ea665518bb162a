import { activityInfo, CompleteAsyncError, Context, heartbeat } from '@temporalio/activity';

import {
  createGate,
  outcomeOf,
  pendingActivities,
  refusal,
  script,
  untilEvent,
  untilIdle,
  type Handle,
  type Stage,
} from './kit.js';

interface Left {
  run: Handle;
  token: Uint8Array;
  /** How clients name the activity without its token. */
  id: { workflowId: string; activityId: string };
}

/** A run whose activity somebody else has to complete. */
async function leaveToOthers(stage: Stage, options: Record<string, unknown> = {}): Promise<Left> {
  const left = createGate();
  let token: Uint8Array = new Uint8Array();
  await stage.worker({
    perform: () => {
      token = activityInfo().taskToken;
      left.open();
      throw new CompleteAsyncError();
    },
  });
  const run = await stage.start('performs', { args: [options] });
  await left.opened;
  await stage.pass(200);
  return { run, token, id: { workflowId: run.workflowId, activityId: '1' } };
}

const completed = [
  script('an activity is completed by its token', async (stage) => {
    const { run, token } = await leaveToOthers(stage);
    await stage.client.activity.complete(token, 'by token');
    const again = await outcomeOf(stage.client.activity.complete(token, 'again'));
    return { ended: await outcomeOf(run.result()), again };
  }),

  script('an activity is completed by its id', async (stage) => {
    const { run, id } = await leaveToOthers(stage);
    await stage.client.activity.complete(id, 'by id');
    const again = await outcomeOf(stage.client.activity.complete(id, 'again'));
    return { ended: await outcomeOf(run.result()), again };
  }),

  script('an activity is failed by its id', async (stage) => {
    const { run, id } = await leaveToOthers(stage, { retry: { maximumAttempts: 1 } });
    await stage.client.activity.fail(id, new TypeError('by id'));
    return outcomeOf(run.result());
  }),

  script('an activity that is failed by its token is tried again', async (stage) => {
    const { run, token, id } = await leaveToOthers(stage, { retry: { initialInterval: '100ms' } });
    await stage.client.activity.fail(token, new TypeError('by token'));
    await stage.eventually('the second attempt', async () =>
      JSON.stringify(await pendingActivities(stage, run.workflowId)).includes('STARTED'),
    );
    const late = await outcomeOf(stage.client.activity.complete(token, 'late'));
    await stage.client.activity.complete(id, 'by id');
    return { late, ended: await outcomeOf(run.result()) };
  }),

  script('an activity beats by its id', async (stage) => {
    const { run, id } = await leaveToOthers(stage, { heartbeatTimeout: '10s' });
    await stage.client.activity.heartbeat(id, { at: 1 });
    const pending = await pendingActivities(stage, run.workflowId);
    await stage.client.activity.complete(id, 1);
    return { pending, ended: await outcomeOf(run.result()) };
  }),

  script('a heartbeat by id learns of the cancellation', async (stage) => {
    const left = createGate();
    await stage.worker({
      perform: () => {
        left.open();
        throw new CompleteAsyncError();
      },
    });
    const run = await stage.start('cancelsActivity', { args: ['WAIT_CANCELLATION_COMPLETED'] });
    await left.opened;
    await run.signal('go');
    await untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_CANCEL_REQUESTED']);
    const id = { workflowId: run.workflowId, activityId: '1' };
    const beat = await outcomeOf(stage.client.activity.heartbeat(id, 1));
    await stage.client.activity.reportCancellation(id, 'understood');
    return { beat, ended: await outcomeOf(run.result()) };
  }),

  script('a cancellation that nobody has asked for is refused', async (stage) => {
    const { run, id } = await leaveToOthers(stage);
    const told = await outcomeOf(stage.client.activity.reportCancellation(id, 'by itself'));
    await run.terminate();
    return told;
  }),

  script('an unknown activity cannot be completed', async (stage) => {
    const { run, id } = await leaveToOthers(stage);
    const { activity } = stage.client;
    const other = await outcomeOf(activity.complete({ ...id, activityId: '77' }, 1));
    const nobody = await outcomeOf(activity.complete({ ...id, workflowId: stage.id('no') }, 1));
    await activity.complete(id, 'the right one');
    await run.result();
    return { other, nobody, late: await outcomeOf(activity.complete(id, 'late')) };
  }),
];

/** A run whose activity fails, and waits long for its next attempt, until the gate is open. */
async function failing(stage: Stage): Promise<{ run: Handle; succeed: () => void }> {
  const gate = createGate();
  await stage.worker({
    perform: () => {
      if (!gate.isOpen()) throw new Error('not yet');
      return { attempt: activityInfo().attempt };
    },
  });
  const run = await stage.start('performs', { args: [{ retry: { initialInterval: '60s' } }] });
  await stage.eventually('the first failure', async () =>
    JSON.stringify(await pendingActivities(stage, run.workflowId)).includes('not yet'),
  );
  return { run, succeed: gate.open };
}

const of = ({ namespace }: Stage, { workflowId }: Handle) => ({
  ...{ namespace, execution: { workflowId }, identity: 'by-hand' },
});

const steered = [
  script('an activity that waits for its next attempt is paused and unpaused', async (stage) => {
    const { run, succeed } = await failing(stage);
    const { workflowService } = stage.connection;
    await workflowService.pauseActivity({ ...of(stage, run), id: '1', reason: 'by hand' });
    const paused = await pendingActivities(stage, run.workflowId);
    succeed();
    await stage.pass(400);
    const still = await pendingActivities(stage, run.workflowId);
    await workflowService.unpauseActivity({ ...of(stage, run), id: '1' });
    return { paused, still, ended: await outcomeOf(run.result()) };
  }),

  script('an activity that runs is told of its pause', async (stage) => {
    const started = createGate();
    const seen: unknown[] = [];
    await stage.worker(
      {
        perform: async () => {
          if (activityInfo().attempt > 1) return { attempt: activityInfo().attempt };
          started.open();
          for (;;) {
            heartbeat('alive');
            const ended = await outcomeOf(Context.current().sleep(50));
            if (JSON.stringify(ended) === '{"returned":null}') continue;
            seen.push(ended, Context.current().cancellationDetails);
            throw new Error('paused');
          }
        },
      },
      { maxHeartbeatThrottleInterval: '100ms' },
    );
    const run = await stage.start('performs', {
      args: [{ heartbeatTimeout: '10s', retry: { initialInterval: '100ms' } }],
    });
    await started.opened;
    const { workflowService } = stage.connection;
    await workflowService.pauseActivity({ ...of(stage, run), id: '1', reason: 'by hand' });
    await stage.eventually('the pause', async () =>
      JSON.stringify(await pendingActivities(stage, run.workflowId)).includes(
        '"PENDING_ACTIVITY_STATE_PAUSED"',
      ),
    );
    const paused = await pendingActivities(stage, run.workflowId);
    await workflowService.unpauseActivity({ ...of(stage, run), id: '1' });
    return { seen, paused, ended: await outcomeOf(run.result()) };
  }),

  script('an activity that waits for its next attempt is reset', async (stage) => {
    const { run, succeed } = await failing(stage);
    const { workflowService } = stage.connection;
    succeed();
    await workflowService.resetActivity({ ...of(stage, run), id: '1' });
    return outcomeOf(run.result());
  }),

  script('an activity gets other options', async (stage) => {
    const { run, succeed } = await failing(stage);
    const { workflowService } = stage.connection;
    succeed();
    const answer = await workflowService.updateActivityOptions({
      ...{ ...of(stage, run), id: '1' },
      activityOptions: { retryPolicy: { initialInterval: { nanos: 200_000_000 } } },
      updateMask: { paths: ['retry_policy.initial_interval'] },
    });
    const { initialInterval } = answer.activityOptions?.retryPolicy ?? {};
    const ended = await outcomeOf(run.result());
    return { nanos: initialInterval?.nanos, ended };
  }),

  script('an unknown activity cannot be paused', async (stage) => {
    await stage.worker();
    const run = await stage.start('waitForGo');
    await untilIdle(stage, run.workflowId);
    const { workflowService } = stage.connection;
    const pause = await refusal(workflowService.pauseActivity({ ...of(stage, run), id: '1' }));
    await run.signal('go');
    await run.result();
    const closed = await refusal(workflowService.pauseActivity({ ...of(stage, run), id: '1' }));
    return { pause, closed };
  }),
];

export const activitiesFromOutside = [...completed, ...steered];
