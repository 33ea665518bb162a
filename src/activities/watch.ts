import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

import { pollDelay } from '../contract/poll-delay.js';
import type { PollPolicy } from '../contract/run-policy.js';
import { isTerminal } from '../contract/task-state.js';
import type { ActivityGroups } from './activity-groups.js';
import type { TaskWatcher, WatchedTask } from './task-watcher.js';
import { withoutSecrets, type SecretsOfRun } from './task-secrets.js';
import type { TaskReads, TaskView } from './tasks.js';
import { withHeartbeat } from './with-heartbeat.js';

interface WatchDeps {
  watcher: TaskWatcher;
  secretsOfRun: SecretsOfRun;
}

/** Fast waiting: one watcher looks for all runs of an account. */
export function createWatchActivities({ watcher, secretsOfRun }: WatchDeps) {
  return {
    /** Ends with the task. Heartbeats: when its worker dies, another one continues. */
    async watchTask(task: WatchedTask): Promise<TaskView> {
      return withHeartbeat(async () =>
        withoutSecrets(await watcher.watch(task, cancellationSignal()), secretsOfRun),
      );
    },
  };
}

export type WatchActivities = ReturnType<typeof createWatchActivities>;

interface PollDeps {
  reads: TaskReads;
  poll: PollPolicy;
  secretsOfRun: SecretsOfRun;
}

/** Slow waiting, without a watcher. */
export function createPollActivities({ reads, poll, secretsOfRun }: PollDeps) {
  return {
    polls: {
      /**
       * Reads a task, and lets Temporal repeat the call until the task has ended: however long that takes,
       * the history does not grow. After `giveUpAt` it returns the task as it is. The failure that it throws meanwhile is expected (BENIGN).
       */
      async pollTask({ taskId, type, since, giveUpAt = Infinity }: WatchedTask): Promise<TaskView> {
        const task = await reads.getTask({ taskId });
        if (isTerminal(task.state) || Date.now() >= giveUpAt) {
          return withoutSecrets(task, secretsOfRun);
        }
        const elapsedMs = Math.max(Date.now() - since, 1);
        throw ApplicationFailure.create({
          type: 'TaskPending',
          message: `Task ${taskId} is ${task.state}`,
          category: ApplicationFailureCategory.BENIGN,
          nextRetryDelay: pollDelay({ type, elapsedMs, random: Math.random() }, poll),
        });
      },
    },
  } satisfies ActivityGroups;
}
