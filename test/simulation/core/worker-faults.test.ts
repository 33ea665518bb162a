import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { beforeAll, expect, it } from '@jest/globals';

import { bundleWorkflows } from '../../support/workers/bundle-workflows.js';
import { createServer, type SimulatedServer } from '../temporal/create-server.js';
import { createProcess, type SimulatedProcess } from '../time/processes.js';
import { simulate, type Simulation } from '../time/run.js';
import { installCore, type Core } from './install-core.js';
import { createLink } from './link.js';
import { smokeActivities } from './smoke/activities.js';
import { add, counts, forgetful, longWork, push } from './smoke/workflows.js';

const ADDRESS = 'temporal.simulated:7233';
let codePath = '';

beforeAll(async () => {
  codePath = await bundleWorkflows('test/simulation/core/smoke/workflows.ts');
});

interface Stage {
  client: Client;
  core: Core;
  nondeterminism: string[];
  /** A worker in a process of its own, and its end. */
  start: (
    name: string,
  ) => Promise<{ process: SimulatedProcess; worker: Worker; ended: Promise<void> }>;
  pause: (ms: number) => Promise<void>;
}

type Way = Pick<SimulatedServer, 'call'>;

function onStage<T>(
  act: (stage: Stage) => Promise<T>,
  past: (server: Way) => Way = (server) => server,
): Promise<T> {
  return simulate(1, async (simulation: Simulation) => {
    const { clock, draw } = simulation;
    const server = createServer({ clock, draw: draw.fork('server') });
    const link = createLink(past(server), clock, draw.fork('link'));
    const nondeterminism: string[] = [];
    const core = installCore({
      clock,
      draw,
      links: new Map([[`http://${ADDRESS}`, link]]),
      onNondeterminism: (text) => nondeterminism.push(text),
    });
    const start: Stage['start'] = async (name) => {
      const process = createProcess(name, clock);
      const worker = await process.run(async () =>
        Worker.create({
          connection: await NativeConnection.connect({ address: ADDRESS }),
          taskQueue: 'smoke',
          workflowBundle: { codePath },
          activities: smokeActivities(name),
          shutdownGraceTime: '5 seconds',
        }),
      );
      return { process, worker, ended: process.run(() => worker.run()) };
    };
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    try {
      return await simulation.until(
        (async () => {
          const connection = await NativeConnection.connect({ address: ADDRESS });
          return act({ client: new Client({ connection }), core, nondeterminism, start, pause });
        })(),
      );
    } finally {
      core.uninstall();
    }
  });
}

const inSmoke = (workflowId: string): { taskQueue: string; workflowId: string } => ({
  taskQueue: 'smoke',
  workflowId,
});

it('another worker goes on where one was killed', async () => {
  const { result, seconds } = await onStage(async ({ client, start, pause }) => {
    const { process } = await start('first');
    const handle = await client.workflow.start(longWork, inSmoke('killed'));
    await pause(20_000);
    process.kill();
    const at = Date.now();
    const second = await start('second');
    const done = await handle.result();
    second.worker.shutdown();
    await second.ended;
    return { result: done, seconds: (Date.now() - at) / 1000 };
  });
  // The server still has a poll of the one that was killed, and gives it the second attempt.
  expect(result).toBe('second, attempt 3');
  // Two missed heartbeats, the work again, and until the sticky queue of the killed one is given up.
  expect(seconds).toBeGreaterThan(65);
  expect(seconds).toBeLessThan(105);
});

it('a worker that was frozen loses its activity, and goes on', async () => {
  const result = await onStage(async ({ client, start, pause }) => {
    const first = await start('first');
    const handle = await client.workflow.start(longWork, inSmoke('frozen'));
    await pause(20_000);
    first.process.freeze();
    const second = await start('second');
    await pause(30_000);
    first.process.wake();
    const done = await handle.result();
    first.worker.shutdown();
    second.worker.shutdown();
    await Promise.all([first.ended, second.ended]);
    return done;
  });
  // As above: the second attempt went to the one that was frozen.
  expect(result).toBe('second, attempt 3');
});

it('a worker that stops leaves an activity its grace time, then cancels it', async () => {
  const { seconds, result } = await onStage(async ({ client, start, pause }) => {
    const first = await start('first');
    const handle = await client.workflow.start(longWork, inSmoke('stopped'));
    await pause(20_000);
    const at = Date.now();
    first.worker.shutdown();
    await first.ended;
    const stopped = (Date.now() - at) / 1000;
    const second = await start('second');
    const done = await handle.result();
    second.worker.shutdown();
    await second.ended;
    return { seconds: stopped, result: done };
  });
  expect(seconds).toBeGreaterThanOrEqual(5);
  expect(seconds).toBeLessThan(8);
  expect(result).toBe('second, attempt 2');
});

it('a workflow that goes another way when it is replayed is reported', async () => {
  const { found, text } = await onStage(async ({ client, core, nondeterminism, start, pause }) => {
    const first = await start('first');
    const handle = await client.workflow.start(forgetful, inSmoke('forgetful'));
    await pause(30_000);
    core.evict(first.process);
    await pause(60_000);
    const { history } = await client.workflowService.getWorkflowExecutionHistory({
      namespace: 'default',
      execution: { workflowId: handle.workflowId },
    });
    const failed = history?.events?.find(({ workflowTaskFailedEventAttributes: of }) => of);
    first.worker.shutdown();
    await first.ended;
    return {
      found: nondeterminism.length,
      text: failed?.workflowTaskFailedEventAttributes?.failure?.message,
    };
  });
  expect(found).toBeGreaterThan(0);
  expect(text).toMatch(/^\[TMPRL1100\] Nondeterminism error/u);
});

/** The first workflow task with an update comes late. Tells what workers say of tasks that fail. */
function withLateUpdate(failures: string[]) {
  let isFirst = true;
  return (server: Way): Way => ({
    async call(call) {
      if (call.rpc === 'RespondWorkflowTaskFailed') failures.push(messageOf(call.request));
      const answer = await server.call(call);
      if (isFirst && call.rpc === 'PollWorkflowTaskQueue' && hasMessages(answer)) {
        isFirst = false;
        await new Promise((resolve) => setTimeout(resolve, 30_000));
      }
      return answer;
    },
  });
}

function hasMessages(answer: object): boolean {
  const messages: unknown = Reflect.get(answer, 'messages');
  return Array.isArray(messages) && messages.length > 0;
}

function messageOf(request: object): string {
  return JSON.stringify(Reflect.get(request, 'failure'));
}

it('a task that comes when its run is over fails, and does not count as one that goes another way', async () => {
  const failures: string[] = [];
  const { count, found } = await onStage(async ({ client, nondeterminism, start, pause }) => {
    const first = await start('first');
    const handle = await client.workflow.start(counts, inSmoke('late'));
    await pause(1_000);
    await handle.executeUpdate(add, { args: ['once'] });
    await handle.signal(push, 'end');
    const result = await handle.result();
    await pause(60_000);
    first.worker.shutdown();
    await first.ended;
    return { count: result, found: nondeterminism };
  }, withLateUpdate(failures));
  expect(count).toBe(1);
  expect(failures.join()).toContain('[TMPRL1100]');
  expect(found).toEqual([]);
});
