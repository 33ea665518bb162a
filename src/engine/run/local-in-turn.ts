import type { WorkflowInterceptors } from '@temporalio/workflow';

/**
 * Local activities of a run go one at a time. Where two end in one workflow task, a replay learns of both at once: what follows
 * them would come in another order than it did, and the run could never go on. A conformance script shows it of the real server.
 */
export function interceptors(): WorkflowInterceptors {
  let last: Promise<unknown> | undefined;
  return {
    outbound: [
      {
        scheduleLocalActivity(input, next) {
          const asked = last === undefined ? next(input) : last.then(() => next(input));
          const ended = asked
            .catch(() => undefined)
            .then(() => {
              if (last === ended) last = undefined;
            });
          last = ended;
          return asked;
        },
      },
    ],
  };
}
