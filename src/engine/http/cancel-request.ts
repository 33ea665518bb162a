import { CancelledFailure } from '@temporalio/common';

/** The server sends no other reason when the run asks for the end of an activity. */
const REQUESTED = 'CANCELLED';

/** Whether the run has asked for the end of the activity. A worker that stops, or a run that is gone, does not. */
export function isCancelRequest({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof CancelledFailure && reason.message === REQUESTED;
}

/** Makes a change with a signal that ignores the request: its run waits for the answer, so nothing cuts it short. */
export async function ignoringCancelRequest<T>(
  cancelled: AbortSignal,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const pass = (): void => {
    if (!isCancelRequest(cancelled)) controller.abort(cancelled.reason);
  };
  cancelled.addEventListener('abort', pass);
  if (cancelled.aborted) pass();
  try {
    return await act(controller.signal);
  } finally {
    // An activity may make many changes.
    cancelled.removeEventListener('abort', pass);
  }
}
