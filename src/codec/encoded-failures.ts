import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Moves the message and the stack trace of each failure into a payload, which the codec encrypts. The SDK loads this
 * module by its path. That of the workflow sandbox is `sandbox-failures.ts`.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
