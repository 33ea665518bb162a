import type { StartedTasks } from '../core/tasks.js';
import { StepState } from '../core/status.js';
import type { Within } from '../run/proxied.js';
import type { Run } from '../run/run-types.js';
import { attemptOnce, type Attempt } from './attempt-once.js';
import type { Mutation } from './mutation.js';

/** Makes one attempt. An answer with an empty list of tasks does not say what the call has started. */
export async function attemptMutation<T, Answer extends object>(
  run: Run,
  mutation: Mutation<T, Answer>,
  seenAt: number,
): Promise<Attempt<Answer>> {
  const send = (within: Within): Promise<Answer> => {
    mutation.step.set(StepState.sending);
    return mutation.send(within);
  };
  const attempt = await attemptOnce(run, { seenAt, send });
  if (attempt.kind !== 'answered') return attempt;
  const { answer } = attempt;
  return namesTasks(answer) && answer.taskIds.length === 0
    ? {
        kind: 'unknown',
        reason: 'the API accepted the call without naming a task',
        isAccepted: true,
      }
    : attempt;
}

export function namesTasks(answer: object): answer is StartedTasks {
  return 'taskIds' in answer;
}
