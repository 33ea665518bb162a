import {
  ApplicationFailure,
  getExternalWorkflowHandle,
  isCancellation,
  TemporalFailure,
  type SignalDefinition,
} from '@temporalio/workflow';

/** What became of a message to another run. */
export const Delivery = {
  delivered: 'delivered',
  /** No run with this id is open. */
  gone: 'gone',
  /** The run is open but takes no more, such as after too many signals in one history. */
  refused: 'refused',
} as const;
export type Delivery = (typeof Delivery)[keyof typeof Delivery];

/** Signals another run. */
export async function signalRun<T>(
  workflowId: string,
  signal: SignalDefinition<[T]>,
  payload: T,
): Promise<Delivery> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(signal, payload);
    return Delivery.delivered;
  } catch (error) {
    return deliveryOf(error);
  }
}

/** Only "not found" means that the other run has ended. Throws what is no answer of the server. */
export function deliveryOf(error: unknown): Exclude<Delivery, 'delivered'> {
  if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
  return isNotFound(error) ? Delivery.gone : Delivery.refused;
}

/** The Temporal server's answer to a signal or a cancel request for a run that is not open. */
function isNotFound(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === 'ExternalWorkflowExecutionNotFound';
}
