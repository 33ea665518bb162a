import type { WorkflowInterceptors } from '@temporalio/workflow';

import { identityOfCancel } from '../../../contract/identity.js';

type Listener = (by: string) => void;

/** Each run has this module for itself. */
let askedBy: string | undefined;
let tell: Listener | undefined;

/** Calls back when the run is asked to cancel, also when it was before. */
export function onCancelAsked(listener: Listener): void {
  tell = listener;
  if (askedBy !== undefined) listener(askedBy);
}

/**
 * Hears who asks a run to cancel. A scope only says that it was cancelled, and the SDK gives the reason of the request
 * to interceptors alone. With a bundle without this one the status names no cancel.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    internals: [
      {
        activate({ activation, batchIndex }, next) {
          const job = activation.jobs?.find(({ cancelWorkflow }) => cancelWorkflow);
          if (job !== undefined && askedBy === undefined) {
            askedBy = identityOfCancel(job.cancelWorkflow?.reason);
            tell?.(askedBy);
          }
          next({ activation, batchIndex });
        },
      },
    ],
  };
}
