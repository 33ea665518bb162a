import { performance } from 'node:perf_hooks';

import proto from '@temporalio/proto';

import type { CutShortDeps } from './cut-short.js';
import { canWatch, rankAmong } from './identity.js';

/** The processes that serve one account, as the Temporal server knows them. */
export interface Peers {
  /** How many they are, this one included; 1 as long as the server has not said. */
  count: () => number;
  /** This process' share of what all may do together, in (0, 1]. */
  share: () => number;
  /** How many of them can watch, this one included. */
  candidates: () => number;
  /** How many of those started before this one; `undefined` as long as the server has not said. */
  rank: () => number | undefined;
  /** Whether the last answer has this process: then it also has those that started well before. */
  isListed: () => boolean;
}

/** One process has several pollers, with one identity. */
export interface Poller {
  identity?: string | null;
  lastAccessTime?: { seconds?: unknown } | null;
}

const { TASK_QUEUE_TYPE_ACTIVITY } = proto.temporal.api.enums.v1.TaskQueueType;

/** Watches are taken over within this time, so that none waits for longer than a run allows. */
const ASK_EVERY_MS = 10_000;
/** While the answers change, such as during a deployment. */
const ASK_AGAIN_MS = 1_000;
/** While this process starts to poll. */
const ASK_AT_START_MS = 200;
const STARTING_MS = 5_000;
/** Up to a fifth later, so that processes that start together do not ask together. */
const JITTER = 0.2;
const ANSWER_WITHIN_MS = 4_000;
/** Half a request a second at the default rate: with less, a call could wait longer than its budget allows. */
const MIN_SHARE = 0.05;

/**
 * Counts the workers among the pollers of an account. Nobody waits for the answer: who asks for
 * a number starts a question when the last one is old. A failed question keeps the last answer.
 */
export function createPeers(
  listPollers: () => Promise<readonly Poller[]>,
  identity: string,
): Peers {
  const startedAt = performance.now();
  let known: readonly string[] | undefined;
  let askAt = 0;
  const others = (): string[] => (known ?? []).filter((other) => other !== identity);
  const isListed = (): boolean => known?.includes(identity) === true;
  const ask = async (): Promise<void> => {
    const found = aliveAmong(await listPollers());
    const isSteady = found.join() === known?.join();
    known = found;
    if (isListed() && isSteady) return;
    const isStarting = !isListed() && performance.now() - startedAt < STARTING_MS;
    askAt = soon(isStarting ? ASK_AT_START_MS : ASK_AGAIN_MS);
  };
  /** What is known; asks again when that is old. */
  const answer = (): readonly string[] | undefined => {
    if (performance.now() >= askAt) {
      askAt = soon(ASK_EVERY_MS);
      // What is known goes on to hold.
      ask().catch(() => undefined);
    }
    return known;
  };
  const count = (): number => (answer(), others().length + 1);
  return {
    count,
    share: () => Math.max(1 / count(), MIN_SHARE),
    candidates: () => (answer(), others().filter(canWatch).length + 1),
    rank: () => (answer() === undefined ? undefined : rankAmong(others(), identity)),
    isListed,
  };
}

function soon(ms: number): number {
  return performance.now() + ms * (1 + Math.random() * JITTER);
}

/** Asks the Temporal server who polls a task queue for activities. */
export async function listPollers(
  { connection, namespace }: CutShortDeps,
  taskQueue: string,
): Promise<readonly Poller[]> {
  const { pollers } = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: TASK_QUEUE_TYPE_ACTIVITY,
    }),
  );
  return pollers;
}

/** A poll lasts at most a minute, but the server lists pollers for five minutes. */
const LAST_POLL_WITHIN_S = 75;

/**
 * The identities of the processes that live, sorted. By the clock of the server alone: the newest poll is
 * hardly older than a moment, because each worker has several.
 */
export function aliveAmong(pollers: readonly Poller[]): string[] {
  const secondsOf = ({ lastAccessTime }: Poller): number => Number(lastAccessTime?.seconds ?? 0);
  const newest = Math.max(...pollers.map(secondsOf));
  const alive = pollers.filter((poller) => newest - secondsOf(poller) < LAST_POLL_WITHIN_S);
  return [...new Set(alive.map(({ identity }) => identity ?? ''))].sort();
}
