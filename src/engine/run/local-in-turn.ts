import type { WorkflowInterceptors } from '@temporalio/workflow';

/**
 * Local activities of a run go one at a time. Where two end in one workflow task, a replay learns of both at once: what follows
 * them would come in another order than it did, and the run could never go on. A conformance script shows it of the real server.
 */
export function interceptors(): WorkflowInterceptors {
  let open = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    outbound: [
      {
        scheduleLocalActivity(input, next) {
          const before = last;
          const isFirst = open === 0;
          open += 1;
          const inTurn = async (): Promise<unknown> => {
            // One that need not wait is asked for at once, as any other command.
            if (!isFirst) await before;
            try {
              return await next(input);
            } finally {
              open -= 1;
            }
          };
          const asked = inTurn();
          last = asked.catch(() => undefined);
          return asked;
        },
      },
    ],
  };
}
