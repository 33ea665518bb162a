import { setTimeout as delay } from 'node:timers/promises';

import {
  Client,
  type WorkflowClientInterceptor,
  type WorkflowHandleWithFirstExecutionRunId,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';

import { outcomeOf } from './explain-error.js';
import type * as workflows from './workflows/index.js';

export type WorkflowName = keyof typeof workflows;
export type Handle = WorkflowHandleWithFirstExecutionRunId;
export type Activities = Record<string, (...args: never[]) => unknown>;
export type StartOptions = Partial<Omit<WorkflowStartOptions, 'taskQueue' | 'args'>> & {
  args?: unknown[];
  taskQueue?: string;
};

/** A script is a short story with a server. What it returns is compared, and so are the histories of its runs. */
export interface Script {
  name: string;
  run: (stage: Stage) => Promise<unknown>;
  /** The longest ones begin first. About how long this one takes with a real server, if that is long. */
  seconds?: number;
}

/** Where a script finds its server: a real one, or a simulated one. */
export interface World {
  connection: NativeConnection;
  namespace: string;
  /** Files with the bundled workflows, and with their next version. */
  bundles: { now: string; next: string };
  /** Of the ids that the script uses, which other scripts must not meet. */
  prefix: string;
}

export interface RunningWorker {
  stop: () => Promise<void>;
}

export interface RunId {
  workflowId: string;
  runId: string;
}

export interface Stage {
  client: Client;
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  bundles: World['bundles'];
  /** A Workflow Id of this script. */
  id: (name: string) => string;
  worker: (activities?: Activities, options?: StageWorkerOptions) => Promise<RunningWorker>;
  /** Starts a run with the id `run` if the options name none. */
  start: (workflow: WorkflowName, options?: StartOptions) => Promise<Handle>;
  /** Starts a run, and says how it ended. */
  outcome: (workflow: WorkflowName, options?: StartOptions) => Promise<unknown>;
  /** Compares the history of this run too, which was not started through the client. */
  watch: (run: RunId) => void;
  /** Compares no history of this run, because its order is open. */
  forget: (run: { workflowId: string }) => void;
  /** Lets time pass. */
  pass: (ms: number) => Promise<void>;
  /** Waits until this holds. */
  eventually: (what: string, holds: () => boolean | Promise<boolean>) => Promise<void>;
}

export type StageWorkerOptions = Partial<WorkerOptions> & { version?: 'now' | 'next' };

export interface OpenStage {
  stage: Stage;
  /** The runs that the script started, in its order. */
  started: RunId[];
  close: () => Promise<void>;
}

const DEADLINE_MS = 50_000;
const ASK_AGAIN_MS = 40;

export function openStage(world: World): OpenStage {
  const { connection, namespace, prefix } = world;
  const started: RunId[] = [];
  const workers: RunningWorker[] = [];
  const watch = (run: RunId): void => {
    if (!started.some(({ runId }) => runId === run.runId)) started.push(run);
  };
  const client = new Client({
    connection,
    namespace,
    interceptors: { workflow: [recorder(watch)] },
  });
  const taskQueue = `${prefix}queue`;
  const id = (name: string): string => `${prefix}${name}`;
  const start: Stage['start'] = (workflow, options) =>
    client.workflow.start(workflow, { workflowId: id('run'), taskQueue, ...options });
  const stage: Stage = {
    client,
    connection,
    namespace,
    taskQueue,
    bundles: world.bundles,
    id,
    async worker(activities = {}, options = {}) {
      const worker = await startWorker(world, { taskQueue, activities, ...options });
      workers.push(worker);
      return worker;
    },
    start,
    outcome: async (workflow, options) => outcomeOf((await start(workflow, options)).result()),
    watch,
    forget({ workflowId }) {
      const kept = started.filter((run) => run.workflowId !== workflowId);
      started.splice(0, started.length, ...kept);
    },
    pass: (ms) => delay(ms),
    eventually,
  };
  const close = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.stop()));
  };
  return { stage, started, close };
}

/** Tells of each run that the client starts. */
function recorder(watch: (run: RunId) => void): WorkflowClientInterceptor {
  return {
    async startWithDetails(input, next) {
      const output = await next(input);
      watch({ workflowId: input.options.workflowId, runId: output.runId });
      return output;
    },
    async signalWithStart(input, next) {
      const runId = await next(input);
      watch({ workflowId: input.options.workflowId, runId });
      return runId;
    },
    async startUpdateWithStart(input, next) {
      const output = await next(input);
      const { workflowId, runId } = output.workflowExecution;
      watch({ workflowId, runId: runId ?? '' });
      return output;
    },
  };
}

async function startWorker(
  { connection, namespace, bundles }: World,
  { version = 'now', ...options }: StageWorkerOptions & { taskQueue: string },
): Promise<RunningWorker> {
  const worker = await Worker.create({
    connection,
    namespace,
    workflowBundle: { codePath: bundles[version] },
    // Without threads: a hundred workers share a process, and virtual time sees no other threads.
    debugMode: true,
    shutdownForceTime: '3s',
    maxConcurrentWorkflowTaskPolls: 2,
    maxConcurrentActivityTaskPolls: 1,
    ...options,
  });
  // A worker that has to be ended by force says so. Scripts see what that did to their runs.
  const ended = worker.run().catch((error: unknown) => {
    if (process.env['CONFORMANCE_LOG'] !== undefined)
      process.stderr.write(`${options.taskQueue}: ${String(error)}\n`);
  });
  let isStopped = false;
  return {
    async stop() {
      if (!isStopped) worker.shutdown();
      isStopped = true;
      await ended;
    },
  };
}

async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Never came: ${what}`);
    await delay(ASK_AGAIN_MS);
  }
}
