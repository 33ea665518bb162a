import {
  getExternalWorkflowHandle,
  isCancellation,
  TemporalFailure,
  type SignalDefinition,
} from '@temporalio/workflow';

/** Signals another run. Returns false when no run with this id is open. */
export async function signalRun<T>(
  workflowId: string,
  signal: SignalDefinition<[T]>,
  payload: T,
): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(signal, payload);
    return true;
  } catch (error) {
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    return false;
  }
}
