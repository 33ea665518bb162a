import type { WorkflowInterceptors } from '@temporalio/workflow';

/**
 * Local activities of a run go one at a time. Where two end in one workflow task, a replay learns of both at once: what follows
 * them would come in another order than it did, and the run could never go on. A conformance script shows it of the real server.
 */
export function interceptors(): WorkflowInterceptors {
  let open = 0;
  let last: Promise<unknown> | undefined;
  const onEnd = (): void => {
    open -= 1;
    if (open === 0) last = undefined;
  };
  return {
    outbound: [
      {
        scheduleLocalActivity(input, next) {
          // One that need not wait is asked for at once, as any other command.
          const asked = last === undefined ? next(input) : last.then(() => next(input));
          open += 1;
          last = asked.then(onEnd, onEnd);
          return asked;
        },
      },
    ],
  };
}
