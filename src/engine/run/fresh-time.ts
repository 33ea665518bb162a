import { defaultPayloadConverter } from '@temporalio/common';
import { CancellationScope, sleep, type WorkflowInterceptors } from '@temporalio/workflow';

import { ASKED_AT_HEADER, isLateAnswer, type LateAnswer } from '../core/late-answer.js';

/**
 * Lets a run go on in a new workflow task, at its time, after a local activity that came late: the task that asked for it may
 * have been tried again meanwhile, and a replay has the time of the last attempt. What the run then decides by time, it would
 * decide differently. See docs/decisions/0012.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    outbound: [
      {
        scheduleLocalActivity(input, next) {
          const askedAt = defaultPayloadConverter.toPayload(Date.now());
          const headers = { ...input.headers, [ASKED_AT_HEADER]: askedAt };
          // One that is in time costs no promise but this one.
          return next({ ...input, headers }).then((answer) =>
            isLateAnswer(answer) ? inLaterTask(answer) : answer,
          );
        },
      },
    ],
  };
}

async function inLaterTask({ answer }: LateAnswer): Promise<unknown> {
  await CancellationScope.nonCancellable(() => sleep(1, { summary: 'a later time' }));
  return answer;
}
