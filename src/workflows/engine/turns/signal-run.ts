import {
  getExternalWorkflowHandle,
  isCancellation,
  TemporalFailure,
  type SignalDefinition,
} from '@temporalio/workflow';

/** Signals another run. False when there is no open run of this id. */
export async function signalRun<T>(
  workflowId: string,
  signal: SignalDefinition<[T]>,
  word: T,
): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(signal, word);
    return true;
  } catch (error) {
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    return false;
  }
}
