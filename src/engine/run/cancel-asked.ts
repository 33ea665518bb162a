import type { WorkflowInterceptors } from '@temporalio/workflow';

import { identityOfCancel } from '../core/identity.js';

type Listener = (by: string) => void;

interface CancelAsked {
  by?: string;
  tell?: Listener;
}

declare global {
  /** All runs share this module, but each has a global object of its own. See docs/decisions/0044. */
  var cancelAsked: CancelAsked | undefined;
}

const askedOfRun = (): CancelAsked => (globalThis.cancelAsked ??= {});

/** Calls back when the run is asked to cancel, also when it was before. */
export function onCancelAsked(listener: Listener): void {
  const asked = askedOfRun();
  asked.tell = listener;
  if (asked.by !== undefined) listener(asked.by);
}

/** Only the first counts: a run that is cancelled already is not asked again. */
function note(by: string): void {
  const asked = askedOfRun();
  if (asked.by !== undefined) return;
  asked.by = by;
  asked.tell?.(by);
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
          if (job !== undefined) note(identityOfCancel(job.cancelWorkflow?.reason));
          next({ activation, batchIndex });
        },
      },
    ],
  };
}
