import { CLOCK_SKEW_MS } from '../../engine/core/times.js';
import type { Health, HealthCheck } from '../../observe/health-server.js';
import type { CutShortDeps } from '../cut-short.js';
import type { Runnable } from '../runnable.js';
import type { QueueToAsk, SeenPollers } from './ask-queue.js';
import { createLooks, type Looks } from './temporal-looks.js';

/** The health of the process of a worker, from its start to its end. */
export interface WorkerHealth extends Health {
  /** From now on the workers count too. */
  follow: (deps: CutShortDeps, workers: readonly Runnable[]) => void;
  /** The process is to end: it takes no more work, but lives until its calls have ended. */
  stopping: () => void;
  /** How far this machine is ahead of the Temporal server, in milliseconds. */
  skewMs: () => number | undefined;
  /** How many processes run workflow tasks, as far as is known. */
  processes: () => number;
}

interface Followed {
  workers: readonly Runnable[];
  looks: Looks;
}

/** A lost server shows after this time and one more question, which takes three seconds at most. */
const NO_ANSWER_MS = 15_000;
/** A poll lasts a minute at most. */
const LAST_POLL_WITHIN_MS = 105_000;

const STOPPING: ReadonlySet<string> = new Set(['STOPPING', 'DRAINING', 'DRAINED', 'STOPPED']);

export function createWorkerHealth(): WorkerHealth {
  let followed: Followed | undefined;
  let isStopping = false;
  return {
    follow: (deps, workers) => {
      followed = { workers, looks: createLooks(deps, () => queuesOf(atWork(workers))) };
    },
    stopping: () => {
      isStopping = true;
    },
    live: () => liveChecks(followed?.workers ?? []),
    ready: async () => {
      if (followed === undefined) {
        return [
          { name: 'process', ok: false, text: 'starts: the Temporal server has not answered yet' },
        ];
      }
      const { workers, looks } = followed;
      await looks.look();
      const ends = isStopping || workers.some((worker) => STOPPING.has(worker.getState()));
      return [
        { name: 'process', ok: !ends, text: ends ? 'ends: it takes no new work' : 'runs' },
        ...atWork(workers).map((worker) => runningCheck(worker)),
        answerCheck(looks),
        ...queuesOf(atWork(workers)).map((queue) => pollersCheck(queue, looks)),
        clockCheck(looks),
      ];
    },
    skewMs: () => followed?.looks.clock.skewMs(),
    processes: () => {
      const [first] = [...(followed?.looks.seen().values() ?? [])];
      return Math.max(first?.processes ?? 1, 1);
    },
  };
}

/** Each worker by itself; those of an account that start again only together, as what they are: not there. */
function atWork(workers: readonly Runnable[]): Runnable[] {
  return workers.flatMap((worker) => {
    const parts = worker.getState() === 'RUNNING' ? (worker.parts?.() ?? []) : [];
    return parts.length === 0 ? [worker] : atWork(parts);
  });
}

function queuesOf(workers: readonly Runnable[]): QueueToAsk[] {
  return workers.flatMap(({ options }) => {
    if (options?.identity === undefined) return [];
    const { taskQueue, identity } = options;
    const runsWorkflows = options.workflowBundle !== undefined;
    return [{ taskQueue, identity, type: runsWorkflows ? 'workflow' : 'activity' } as const];
  });
}

function nameOf({ options, title }: Runnable): string {
  if (title !== undefined) return title;
  return options === undefined ? 'worker of task watches' : `worker of ${options.taskQueue}`;
}

/**
 * A worker that has failed takes the others with it; until they have drained, the process is no use. The workers of one
 * account among several start again by themselves: a new process would interrupt the other accounts.
 */
function liveChecks(workers: readonly Runnable[]): HealthCheck[] {
  const isAnyRunning = workers.some((worker) => worker.getState() === 'RUNNING');
  return workers.map((worker) => {
    const state = worker.getState();
    if (worker.isRestarting?.() === true) {
      return { name: nameOf(worker), ok: true, text: `${state}: starting again` };
    }
    const ok = state !== 'FAILED' && !(state === 'STOPPED' && isAnyRunning);
    return { name: nameOf(worker), ok, text: state };
  });
}

function runningCheck(worker: Runnable): HealthCheck {
  const state = worker.getState();
  return { name: nameOf(worker), ok: state === 'RUNNING', text: state };
}

function answerCheck({ sinceAnswerMs, trouble }: Looks): HealthCheck {
  const name = 'Temporal server';
  const ms = sinceAnswerMs();
  const why = trouble();
  const reason = why === undefined ? '' : ` (${why})`;
  if (ms === undefined) return { name, ok: false, text: `has not answered yet${reason}` };
  const text = `answered ${Math.round(ms / 1000)} s ago${reason}`;
  return { name, ok: ms < NO_ANSWER_MS, text };
}

function pollersCheck({ taskQueue }: QueueToAsk, { seen, clock }: Looks): HealthCheck {
  const name = `pollers of ${taskQueue}`;
  const found = seen().get(taskQueue);
  if (found?.ownPollAt === undefined) {
    return { name, ok: false, text: 'the Temporal server has not seen this process poll' };
  }
  const agoMs = Math.max(serverNow(found, clock.skewMs()) - found.ownPollAt, 0);
  const text = `this process polled ${Math.round(agoMs / 1000)} s ago`;
  return { name, ok: agoMs < LAST_POLL_WITHIN_MS, text };
}

/** Without a measured clock the newest poll of anybody: it is hardly older than a moment. */
function serverNow({ newestPollAt = 0 }: SeenPollers, skewMs: number | undefined): number {
  return skewMs === undefined ? newestPollAt : Date.now() - skewMs;
}

function clockCheck({ clock }: Looks): HealthCheck {
  const name = 'clock';
  const skewMs = clock.skewMs();
  if (skewMs === undefined) return { name, ok: true, text: 'not compared yet' };
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  const text = `${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} the Temporal server`;
  const ok = Math.abs(skewMs) <= CLOCK_SKEW_MS;
  return { name, ok, text: ok ? text : `${text}: set the clock of this machine (NTP)` };
}
