import { ContinueAsNew, TemporalFailure, type WorkflowInterceptors } from '@temporalio/workflow';

/**
 * Says in the text of a defect where it was. Temporal shows this text with the failed workflow task, and repeats the task
 * until the code is mended; without stack traces nothing else tells the place.
 */
export function placeDefect(error: unknown, place: string): unknown {
  const isEnd = error instanceof TemporalFailure || error instanceof ContinueAsNew;
  if (error instanceof Error && !isEnd) error.message = `${error.message} (${place})`;
  return error;
}

/** Names the call that the run has made last. */
export function interceptors(): WorkflowInterceptors {
  let last = 'before its first call';
  const after = (call: string): void => {
    last = `after its call ${call}`;
  };
  return {
    inbound: [
      {
        async execute(input, next) {
          try {
            return await next(input);
          } catch (error) {
            throw placeDefect(error, last);
          }
        },
      },
    ],
    outbound: [
      {
        scheduleActivity(input, next) {
          after(input.activityType);
          return next(input);
        },
        scheduleLocalActivity(input, next) {
          after(input.activityType);
          return next(input);
        },
      },
    ],
  };
}
