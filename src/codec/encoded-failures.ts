import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Moves the message and the stack trace of each failure into a payload, which the codec encrypts. The SDK loads this
 * module by its path, in the workflow sandbox too.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
