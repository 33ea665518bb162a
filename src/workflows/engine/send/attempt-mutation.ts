import type { StartedTasks } from '../../../activities/instances.js';
import { StepState } from '../../../contract/status.js';
import { attemptOnce, type Attempt } from './attempt-once.js';
import type { Mutation } from './mutation.js';

/** Makes one attempt. An answer with an empty list of tasks does not say what the call has started. */
export async function attemptMutation<T, Answer extends object>(
  mutation: Mutation<T, Answer>,
): Promise<Attempt<Answer>> {
  const attempt = await attemptOnce(() => {
    mutation.step.set(StepState.sending);
    return mutation.send();
  });
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
