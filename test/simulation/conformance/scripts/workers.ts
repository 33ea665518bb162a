import { setTimeout as delay } from 'node:timers/promises';

import { activityInfo, CancelledFailure, Context, heartbeat } from '@temporalio/activity';
import type { PayloadCodec } from '@temporalio/common';
import Long from 'long';

import {
  createGate,
  easy,
  explainError,
  outcomeOf,
  pendingActivities,
  replay,
  script,
  untilEvent,
  untilIdle,
  type Gate,
  type Script,
  type Stage,
} from './kit.js';
import type { StageWorkerOptions } from '../stage.js';

const cacheless = { maxCachedWorkflows: 0 };

/** A run that one version begins and the next one ends; the first one has no mind for runs. */
function handedOver(workflow: 'gainsPatch' | 'losesPatch') {
  return async (stage: Stage): Promise<unknown> => {
    const [started, gate] = [createGate(), createGate()];
    const perform = async (what: string): Promise<string> => {
      if (what !== 'end') return what;
      started.open();
      await gate.opened;
      return what;
    };
    const old = await stage.worker({ perform }, cacheless);
    const run = await stage.start(workflow);
    await started.opened;
    await untilIdle(stage, run.workflowId);
    gate.open();
    await untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_COMPLETED', 2]);
    const first = await outcomeOf(run.result());
    await old.stop();
    await stage.worker({ perform }, { ...cacheless, version: 'next' });
    const second = await stage.outcome(workflow, { workflowId: stage.id('second') });
    return { first, second };
  };
}

const versions = [
  script('a workflow gains a patch', handedOver('gainsPatch')),
  script('a workflow loses a patch', handedOver('losesPatch')),

  ...(['gainsPatch', 'losesPatch', 'changes'] as const).map((workflow) =>
    script(`a run of the old version goes on in the next one: ${workflow}`, async (stage) => {
      const [started, gate] = [createGate(), createGate()];
      const old = await stage.worker(
        {
          perform: async (what: string) => {
            started.open();
            await gate.opened;
            return what;
          },
        },
        { ...cacheless, shutdownGraceTime: '5s' },
      );
      const run = await stage.start(workflow);
      await started.opened;
      await untilIdle(stage, run.workflowId);
      const stopped = old.stop();
      await stage.pass(200);
      gate.open();
      await stopped;
      await stage.worker({ perform: (what: string) => what }, { ...cacheless, version: 'next' });
      if (workflow !== 'changes') return outcomeOf(run.result());
      await untilEvent(stage, run.workflowId, ['WORKFLOW_TASK_FAILED']);
      await run.terminate('stuck');
      return outcomeOf(run.result());
    }),
  ),
];

const replays = [
  ...[0, 10].map((maxCachedWorkflows) =>
    script(`a run that uses everything, with a cache for ${maxCachedWorkflows}`, async (stage) => {
      const perform = (what: string): string => {
        if (what === 'fail') throw new Error('it failed');
        return `done ${what}`;
      };
      await stage.worker({ perform }, { maxCachedWorkflows });
      const run = await stage.start('usesEverything');
      await untilEvent(stage, run.workflowId, ['CHILD_WORKFLOW_EXECUTION_COMPLETED']);
      await untilIdle(stage, run.workflowId);
      await run.signal('go', 'told');
      const ended = await outcomeOf(run.result());
      return { ended, replayed: await replay(stage, run.workflowId) };
    }),
  ),

  script('what a run draws at random is the same in a replay', async (stage) => {
    await stage.worker(easy, cacheless);
    const run = await stage.start('drawsAtRandom');
    const isEqual: unknown = await run.result();
    stage.forget(run);
    return { isEqual, replayed: await replay(stage, run.workflowId) };
  }),

  script('a history does not fit another version of its workflow', async (stage) => {
    await stage.worker(easy);
    const run = await stage.start('changes');
    await run.result();
    // The core writes its own structures around this.
    const told = JSON.stringify(await replay(stage, run.workflowId, 'next'));
    return [/DeterminismViolationError/.exec(told)?.[0], /\[TMPRL1100][^"\\]*/.exec(told)?.[0]];
  }),
];

/** A worker that tells what its update handlers are called with, also in a replay. */
function witness(seen: string[]): StageWorkerOptions {
  const fn = (_run: unknown, what: string): void => void seen.push(what);
  return { sinks: { witness: { called: { fn, callDuringReplay: true } } } };
}

/** A worker that cannot read what says `hold` or `break` before it may; what says `break` it can never read. */
function holdsBack(tell: (word: string) => void, hold: Gate): StageWorkerOptions {
  const decode: PayloadCodec['decode'] = async (payloads) => {
    const text = payloads.map(({ data }) => Buffer.from(data ?? []).toString()).join();
    const word = /hold|break/.exec(text)?.[0];
    if (word === undefined) return payloads;
    tell(word);
    await hold.opened;
    if (word === 'break') throw new Error('it cannot be read');
    return payloads;
  };
  return {
    dataConverter: { payloadCodecs: [{ encode: (each) => Promise.resolve(each), decode }] },
  };
}

/** One process refuses two equal workers. */
const another: StageWorkerOptions = {
  workerDeploymentOptions: {
    version: { deploymentName: 'another', buildId: '1' },
    useWorkerVersioning: false,
  },
};

/** A worker that has one slot left for a task of this run, which waits until the gate opens. Then it forgets the run first. */
async function busyWorker(stage: Stage, hold: Gate, seen: string[]) {
  const words: string[] = [];
  const has = (word: string) => stage.eventually(word, () => words.includes(word));
  const holding = holdsBack((word) => void words.push(word), hold);
  const options = { ...holding, ...witness(seen), maxConcurrentWorkflowTaskExecutions: 3 };
  await stage.worker({}, options);
  const run = await stage.start('tellsOfUpdates', { workflowTaskTimeout: '1s' });
  await untilIdle(stage, run.workflowId);
  // A query that fails makes it forget the run.
  const query = outcomeOf(run.query('state', 'break'));
  await has('break');
  const other = await stage.start('echo', { workflowId: stage.id('other'), args: ['hold'] });
  await has('hold');
  return { run, answered: Promise.all([query, other.result()]) };
}

/** A task with an update comes to workflow code only when the run has ended with the help of another worker. */
function comesTooLate(name: string, what: string): Script {
  return script(
    name,
    async (stage) => {
      const hold = createGate();
      const [first, second]: [string[], string[]] = [[], []];
      const { run, answered } = await busyWorker(stage, hold, first);
      const update = outcomeOf(run.executeUpdate('add', { args: [what], updateId: 'the-update' }));
      await untilEvent(stage, run.workflowId, ['WORKFLOW_TASK_TIMED_OUT']);
      await stage.worker({}, { ...another, ...witness(second) });
      const told = await update;
      await run.signal('finish');
      const ended = await outcomeOf(run.result());
      hold.open();
      await answered;
      await stage.eventually('the late task', () => first.length > 0);
      return { told, ended, first, second };
    },
    3,
  );
}

const lateTasks = [
  comesTooLate('a late task has its update from the server and from the history', 'x'),
  comesTooLate('a late task runs an update that the run has refused', 'invalid'),
];

const queues = [
  script('a worker that stops lets its activity end', async (stage) => {
    const [started, gate] = [createGate(), createGate()];
    const seen: unknown[] = [];
    const worker = await stage.worker(
      {
        perform: async () => {
          started.open();
          await gate.opened;
          return 'in time';
        },
      },
      { shutdownGraceTime: '5s' },
    );
    const run = await stage.start('performs', { args: [{}] });
    await started.opened;
    const stopped = worker.stop();
    await stage.pass(300);
    gate.open();
    await stopped;
    seen.push(await pendingActivities(stage, run.workflowId));
    await stage.worker();
    return { seen, ended: await outcomeOf(run.result()) };
  }),

  script('a worker that stops cancels an activity that takes longer', async (stage) => {
    const started = createGate();
    const seen: unknown[] = [];
    const perform = async (): Promise<string> => {
      if (activityInfo().attempt > 1) return 'by another worker';
      started.open();
      try {
        for (;;) {
          heartbeat('alive');
          await Context.current().sleep(50);
        }
      } catch (error) {
        seen.push(explainError(error), error instanceof CancelledFailure);
        throw error;
      }
    };
    const worker = await stage.worker({ perform }, { shutdownGraceTime: '300ms' });
    const options = { heartbeatTimeout: '3s', retry: { initialInterval: '100ms' } };
    const run = await stage.start('performs', { args: [options] });
    await started.opened;
    await worker.stop();
    await stage.worker({ perform });
    return { seen, ended: await outcomeOf(run.result()) };
  }),

  script('another worker takes over from one that has stopped', async (stage) => {
    const first = await stage.worker(easy, { stickyQueueScheduleToStartTimeout: '10s' });
    const run = await stage.start('collector');
    await untilIdle(stage, run.workflowId);
    await first.stop();
    await stage.worker(easy);
    await run.signal('go', 2);
    await untilIdle(stage, run.workflowId);
    const answer = await outcomeOf(run.query('state', 'x'));
    await run.signal('finish');
    return { answer, ended: await outcomeOf(run.result()) };
  }),

  script(
    'a task waits for its worker, and then any worker takes it',
    async (stage) => {
      // By hand, because a worker that stops tells the server.
      const { connection, namespace, taskQueue } = stage;
      const { workflowService } = connection;
      const run = await stage.start('waitForGo');
      const { taskToken } = await workflowService.pollWorkflowTaskQueue({
        ...{ namespace, taskQueue: { name: taskQueue }, identity: 'by-hand' },
      });
      await workflowService.respondWorkflowTaskCompleted({
        ...{ namespace, taskToken, commands: [], identity: 'by-hand' },
        stickyAttributes: {
          workerTaskQueue: { name: stage.id('sticky'), kind: 2, normalName: taskQueue },
          scheduleToStartTimeout: { seconds: Long.fromNumber(1) },
        },
      });
      // As long as its worker has been there lately. The server refuses shorter polls than two seconds.
      const sticky = { name: stage.id('sticky'), kind: 2, normalName: taskQueue };
      const poll = outcomeOf(
        connection.withDeadline(Date.now() + 3_000, () =>
          workflowService.pollWorkflowTaskQueue({
            namespace,
            taskQueue: sticky,
            identity: 'by-hand',
          }),
        ),
      );
      await poll;
      await run.signal('go', 'at last');
      await stage.worker();
      return outcomeOf(run.result());
    },
    5,
  ),

  script('describe of a task queue tells who polls it', async (stage) => {
    await stage.worker(easy, { identity: 'the-worker' });
    await stage.outcome('performsInTurn', { args: [1] });
    const { connection, namespace, taskQueue } = stage;
    const describe = async (taskQueueType: number): Promise<unknown> => {
      const { pollers } = await connection.workflowService.describeTaskQueue({
        ...{ namespace, taskQueueType, taskQueue: { name: taskQueue } },
      });
      return [...new Set(pollers.map(({ identity }) => identity))];
    };
    return { workflow: await describe(1), activity: await describe(2) };
  }),

  script('nobody polls a queue that nobody knows', async ({ connection, namespace, id }) => {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      ...{ namespace, taskQueueType: 1, taskQueue: { name: id('unknown') } },
    });
    return pollers.length;
  }),

  script('activities that wait are taken by their priority', async (stage) => {
    const order: string[] = [];
    await stage.worker();
    const taskQueue = stage.id('acts');
    const run = await stage.start('performsAtOnce', { args: [[5, 3, 1, 4, 2], taskQueue] });
    await untilEvent(stage, run.workflowId, ['ACTIVITY_TASK_SCHEDULED', 5]);
    await stage.pass(500);
    await stage.worker(
      {
        perform: async (what: string) => {
          order.push(what);
          await delay(300);
        },
      },
      { taskQueue, maxConcurrentActivityTaskExecutions: 1 },
    );
    await run.result();
    // Which activity ends first decides the order of their events: only the order of the starts is compared.
    stage.forget(run);
    return order;
  }),

  script('a queue gives out no more activities than it may', async (stage) => {
    await stage.worker();
    const taskQueue = stage.id('acts');
    const times: number[] = [];
    await stage.worker(
      { perform: () => void times.push(Date.now()) },
      { taskQueue, maxTaskQueueActivitiesPerSecond: 4 },
    );
    const run = await stage.start('performsAtOnce', {
      args: [Array.from({ length: 12 }, () => 3), taskQueue],
    });
    await run.result();
    stage.forget(run);
    const took = (times.at(-1) ?? 0) - (times[0] ?? 0);
    return { count: times.length, isPaced: took > 1_200 && took < 10_000 };
  }),

  script('a worker takes no more activities at once than it may', async (stage) => {
    let [now, most] = [0, 0];
    await stage.worker(
      {
        perform: async () => {
          now += 1;
          most = Math.max(most, now);
          await delay(200);
          now -= 1;
        },
      },
      { maxConcurrentActivityTaskExecutions: 2 },
    );
    const run = await stage.start('performsAtOnce', { args: [[3, 3, 3, 3, 3]] });
    await run.result();
    stage.forget(run);
    return most;
  }),
];

export const workers = [...versions, ...replays, ...lateTasks, ...queues];
