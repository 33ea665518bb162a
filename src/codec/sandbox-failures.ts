import { DefaultFailureConverter } from '@temporalio/common';

/** The start of a workflow bundle sets it where the texts of failures are to be encrypted. */
export const ENCODES_FAILURES = 'gcoreWorkflowsEncodesFailures';

/** The failure converter of the workflow sandbox. With and without encryption it is the same code. */
export const failureConverter = new DefaultFailureConverter({
  encodeCommonAttributes: ENCODES_FAILURES in globalThis,
});
