import { describe, expect, it } from '@jest/globals';
import {
  ApplicationFailure,
  CancelledFailure,
  ChildWorkflowFailure,
  TerminatedFailure,
} from '@temporalio/common';

import { isCutShortPart } from '../../../src/engine/run/failures.js';

function ended(cause: Error): ChildWorkflowFailure {
  const execution = { workflowId: 'provision-instance/default/web/protect' };
  return new ChildWorkflowFailure(
    'default',
    execution,
    'protectIp',
    'NON_RETRYABLE_FAILURE',
    cause,
  );
}

describe('a part that was cut short', () => {
  it.each([
    ['it was terminated', ended(new TerminatedFailure('enough')), true],
    ['it has failed', ended(ApplicationFailure.create({ type: 'TaskFailed' })), false],
    ['it was cancelled', ended(new CancelledFailure('cancelled')), false],
    // Temporal tries the workflow task of a defect again until it is mended.
    ['its run has a defect', new TypeError('undefined is not a function'), false],
  ])('is known by its end: %s', (_, error, isCutShort) => {
    expect(isCutShortPart(error)).toBe(isCutShort);
  });
});
