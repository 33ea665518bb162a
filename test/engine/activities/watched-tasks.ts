import { ApplicationFailure } from '@temporalio/common';

import type { TaskReads } from '../../../src/engine/core/tasks.js';
import type { TaskToWatch } from '../../../src/engine/activities/task-watcher.js';
import type { TaskView } from '../../../src/activities/tasks.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../../src/engine/core/run-policy.js';

/** A hundred times faster than in production: a cycle takes 20 ms, the first look comes after 150 ms. */
export const fastPoll = scalePollPolicy(DEFAULT_POLL_POLICY, 0.01);
export const never = new AbortController().signal;

export function task(id: string, state: string): TaskView {
  const created = { instances: [`of-${id}`], volumes: [], floatingIps: [] };
  return { id, type: 'create_vm', state, error: undefined, created };
}

/** An API with these tasks that counts its requests. */
export function createReads(states: Record<string, string>) {
  const asked: string[] = [];
  const all = (): TaskView[] => Object.entries(states).map(([id, state]) => task(id, state));
  const hasEnded = ({ state }: TaskView): boolean => state === 'FINISHED' || state === 'ERROR';
  let outage: Error | undefined;
  const broken = new Map<string, Error>();
  const answer = <T>(what: string, give: () => T): Promise<T> => {
    asked.push(what);
    const error = outage ?? broken.get(what);
    return error === undefined ? Promise.resolve(give()) : Promise.reject(error);
  };
  const reads: TaskReads<TaskView> = {
    pageSize: 1_000,
    getTask: ({ taskId }) =>
      answer(`get ${taskId}`, () => {
        const state = states[taskId];
        if (state !== undefined) return task(taskId, state);
        throw ApplicationFailure.nonRetryable('unknown task', 'NotFound');
      }),
    listActiveTaskIds: () =>
      answer('list active', () =>
        all()
          .filter((view) => !hasEnded(view))
          .map(({ id }) => id),
      ),
    listEndedTasks: () => answer('list ended', () => all().filter(hasEnded)),
  };
  return {
    reads,
    asked,
    /** Requests that fail, such as `list active`, while the others are answered. */
    broken,
    setOutage: (error: Error | undefined) => {
      outage = error;
    },
  };
}

export const ids = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `t-${index}`);
export const statesOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, 'RUNNING']));
export const watched = (taskId: string): TaskToWatch => ({
  taskId,
  type: 'create_vm',
  since: Date.now(),
  waitedMs: 0,
});
