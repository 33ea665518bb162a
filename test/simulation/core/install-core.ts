import { Connection } from '@temporalio/client';
import { NativeConnection, type Logger, type NativeConnectionOptions } from '@temporalio/worker';

import type { Clock } from '../time/clock.js';
import type { Draw } from '../time/draw.js';
import type { SimulatedProcess } from '../time/processes.js';
import type { Link } from './link.js';
import { createNativeFunctions } from './native-functions.js';
import { asyncHooks, nativeFunctions, Runtime, Worker } from './sdk-internals.js';
import { SharedStorage } from './shared-storage.js';
import type { CoreWorker, Nondeterminism } from './worker/core-worker.js';
import { WorkflowCreators, workflowsOf } from './workflow-creators.js';

export type { Nondeterminism } from './worker/core-worker.js';
export { WorkflowCreators } from './workflow-creators.js';

export interface CoreOptions {
  clock: Clock;
  draw: Draw;
  /** The ways to servers, by their addresses, such as 'http://temporal.simulated:7233'. */
  links: ReadonlyMap<string, Link> | ((targetUrl: string) => Link | undefined);
  /** What was read of workflow bundles: for all simulations of an OS process the same. */
  creators?: WorkflowCreators;
  /** Hears what the SDK logs, from warnings on. */
  onLog?: (line: string) => void;
  /** Logs all of it instead. */
  logger?: Logger;
  /** A run whose code does not follow its history. */
  onNondeterminism?: (text: string, found: Nondeterminism) => void;
  /**
   * How many polls of one queue a worker has open at most, whatever its options say: each one costs two timers per minute of
   * virtual time.
   */
  maxPolls?: number;
}

export interface Core {
  /** Gives back what was there before. Workflows that are left are freed. */
  uninstall(): void;
  /** Forgets cached runs: their next workflow tasks are replayed. Without a process, the runs of all of them. */
  evict(process?: SimulatedProcess, runId?: string): void;
}

const MAX_POLLS = 2;

const everything = new WorkflowCreators();

/** Replaces the core of the SDK by a simulated one, in this OS process. */
export function installCore(options: CoreOptions): Core {
  const { clock, draw, links } = options;
  const workers = new Set<CoreWorker>();
  const workflows = workflowsOf(options.creators ?? everything);
  const functions = createNativeFunctions({
    clock,
    draw,
    linkTo: typeof links === 'function' ? links : (url) => links.get(url),
    maxPolls: options.maxPolls ?? MAX_POLLS,
    onNondeterminism: (found) => {
      options.onNondeterminism?.(describeNondeterminism(found), found);
    },
    onWorker: (worker) => {
      workers.add(worker);
    },
  });
  const undo = [
    ...Object.entries(functions).map(([name, value]) => replace(nativeFunctions, name, value)),
    replace(asyncHooks, 'AsyncLocalStorage', SharedStorage),
    replace(Worker, 'getOrCreateBundle', workflows.getBundle),
    replace(Worker, 'createWorkflowCreator', workflows.create),
    ...replaceRuntime(options.logger ?? createLogger(options.onLog)),
    forgetConnections(),
    ...connectAsWorkersDo(),
  ];
  return {
    uninstall() {
      workflows.disposeAll();
      for (const put of undo.reverse()) put();
    },
    evict(process, runId) {
      for (const worker of workers) {
        if (process !== undefined && worker.home.process !== process) continue;
        worker.home.deliver(() => {
          worker.evict(runId);
        });
      }
    },
  };
}

function replace(target: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, {
    value,
    writable: true,
    configurable: true,
    enumerable: true,
  });
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, before);
  };
}

/**
 * Each connection has a storage of its own for what its callers set, and Node asks every storage that was ever used at each
 * promise. Thousands of connections in one OS process would be paid for by all that follow.
 */
function forgetConnections(): () => void {
  const made: NativeConnection[] = [];
  const connect = NativeConnection.connect.bind(NativeConnection);
  const restore = replace(
    NativeConnection,
    'connect',
    async (options?: NativeConnectionOptions) => {
      const connection = await connect(options);
      made.push(connection);
      return connection;
    },
  );
  return () => {
    restore();
    for (const { callContextStorage } of made) callContextStorage.disable();
  };
}

/**
 * What connects as clients do, such as a command, connects as workers do: gRPC for JavaScript has sockets of its own, and there is
 * nothing behind them, nor anybody who could listen. Until the end of the simulation: a command may never come to its own.
 */
function connectAsWorkersDo(): (() => void)[] {
  const connect = (options?: NativeConnectionOptions) => NativeConnection.connect(options);
  return [
    replace(Connection, 'connect', connect),
    replace(process.env, 'GCORE_ALLOW_PLAIN_TEMPORAL', 'true'),
  ];
}

/** A runtime for the simulation, made when it is first asked for. The one that was there comes back. */
function replaceRuntime(logger: Logger): (() => void)[] {
  const install = (): Runtime => Runtime.instance();
  return [
    replace(Runtime, '_instance', undefined),
    replace(Runtime, 'instantiator', undefined),
    replace(Runtime, 'defaultOptions', {
      logger,
      shutdownSignals: [],
      workerHeartbeatInterval: 0,
      telemetryOptions: {},
    }),
    // Each process of the simulation would install its own; they share one.
    replace(Runtime, 'install', install),
  ];
}

function describeNondeterminism({
  process,
  workflowType,
  workflowId,
  message,
}: Nondeterminism): string {
  const place = process === undefined ? '' : `${process}: `;
  return `${place}${workflowType} ${workflowId} does not follow its history: ${message}`;
}

const nothing = (): void => undefined;

function createLogger(onLog: CoreOptions['onLog']): Logger {
  const log: Logger['log'] = (level, message, meta) => {
    const error: unknown = meta?.['error'];
    const because = error instanceof Error ? `: ${error.message}` : '';
    onLog?.(`${level} ${message}${because}`);
  };
  return {
    log,
    trace: nothing,
    debug: nothing,
    info: nothing,
    warn: (message, meta) => {
      log('WARN', message, meta);
    },
    error: (message, meta) => {
      log('ERROR', message, meta);
    },
  };
}
