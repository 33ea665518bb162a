import { performance } from 'node:perf_hooks';

import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

import { cutText } from '../core/text.js';
import { FailureType } from '../core/failures.js';
import type { TaskReads } from '../core/tasks.js';

/** Tells a log what no run can tell: its own failure concerns one run, this one all of them. */
export interface ListHealthEvents {
  /** The list of tasks cannot be read, although the API answers. Called once, however often it fails. */
  onNotWatching?: (reason: string) => void;
  /** The list can be read again. */
  onWatching?: () => void;
}

/** The list of active tasks, and whether it can be read. */
export interface ListHealth {
  /**
   * Ids of the active tasks. Fails as `NotWatching` once the list counts as broken.
   *
   * @param taskId a task whose read shows whether the API answers at all
   */
  read(taskId: string): Promise<string[]>;
  /** Throws while the list is known to be broken. From time to time it lets a caller try. */
  refuseWhileBroken(): void;
}

/** Type of the failure that sends a run back to its own timers. */
const NOT_WATCHING = 'NotWatching';
/** Lists in a row that may fail before the next one decides: short faults pass. */
const MAX_FAILURES = 2;

/**
 * A list that fails again and again, while single tasks can be read, helps nobody: the runs look by
 * themselves then. In an outage they could not do better, so the watcher waits for its end.
 */
export function createListHealth(
  reads: TaskReads,
  { retryMs, onNotWatching, onWatching }: ListHealthEvents & { retryMs: number },
): ListHealth {
  let failures = 0;
  let broken: { error: unknown; retryAt: number } | undefined;

  const giveUp = (error: unknown): ApplicationFailure => {
    if (broken === undefined) onNotWatching?.(messageOf(error));
    broken = { error, retryAt: performance.now() + retryMs };
    return notWatching(error);
  };
  return {
    async read(taskId) {
      // One request either way: in an outage the list would fail too.
      if (failures >= MAX_FAILURES) await askWhetherAnswered(reads, taskId);
      try {
        const ids = await reads.listActiveTaskIds();
        if (broken !== undefined) onWatching?.();
        [broken, failures] = [undefined, 0];
        return ids;
      } catch (error) {
        failures += 1;
        const isFinal = failures > MAX_FAILURES && !isRateLimit(error);
        throw isFinal || !isTransient(error) ? giveUp(error) : error;
      }
    },
    refuseWhileBroken() {
      if (broken !== undefined && performance.now() < broken.retryAt) {
        throw notWatching(broken.error);
      }
    },
  };
}

/** Throws when the API does not answer; any answer will do. */
async function askWhetherAnswered(reads: TaskReads, taskId: string): Promise<void> {
  try {
    await reads.getTask({ taskId });
  } catch (error) {
    if (isTransient(error) && !isUnreadable(error)) throw error;
  }
}

/** Ends a watch: the run looks by its timers, and asks for a watcher again later. It is no defect (BENIGN). */
export function notWatching(error: unknown): ApplicationFailure {
  return ApplicationFailure.create({
    type: NOT_WATCHING,
    nonRetryable: true,
    message: `the watcher cannot read the tasks: ${messageOf(error)}`,
    category: ApplicationFailureCategory.BENIGN,
  });
}

const MAX_MESSAGE_BYTES = 500;

export function messageOf(error: unknown): string {
  return cutText(error instanceof Error ? error.message : String(error), MAX_MESSAGE_BYTES);
}

/** Whether it may pass by itself: an outage, a rate limit, one odd answer. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof ApplicationFailure && (error.nonRetryable !== true || isUnreadable(error))
  );
}

/** An answer that this version cannot read: only another version of the worker or of the API changes that. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === FailureType.unexpectedResponse;
}

export function isRateLimit(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === FailureType.rateLimited;
}
