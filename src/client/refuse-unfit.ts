import { idFaults, inputSizeFaults } from '../engine/core/input-limits.js';
import { InvalidInputError } from './errors.js';

interface Request {
  input: unknown;
  requestId?: string | undefined;
  workflowId?: string | undefined;
}

/** Refuses a request that the Temporal server or a worker could not take, before anything is sent. */
export function refuseUnfit({ input, requestId = '', workflowId = '' }: Request): void {
  const faults = [
    ...inputSizeFaults(input),
    ...idFaults('requestId', requestId),
    ...idFaults('workflowId', workflowId),
  ];
  if (faults.length > 0) throw new InvalidInputError(faults);
}
