import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  RetryState,
  ServerFailure,
  TerminatedFailure,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import { describe, expect, it } from '@jest/globals';

import { FailureType } from '../../../../src/contract/failures.js';
import { classifyAttempt } from '../../../../src/workflows/engine/send/classify-attempt.js';

/** What a workflow catches when an activity has failed. */
function activityFailed(cause?: Error): ActivityFailure {
  const state = RetryState.NON_RETRYABLE_FAILURE;
  return new ActivityFailure('Activity task failed', 'createInstance', '1', state, 'worker', cause);
}

function failed(type: string, nextRetryDelay?: number): ActivityFailure {
  const cause = ApplicationFailure.create({
    type,
    message: `words of ${type}`,
    ...(nextRetryDelay !== undefined && { nextRetryDelay }),
  });
  return activityFailed(cause);
}

const NOT_SENT: FailureType[] = ['ServiceUnavailable', 'RateLimited', 'ResourceBusy'];
const UNKNOWN: FailureType[] = ['OutcomeUnknown', 'UnexpectedResponse'];
const REJECTED = Object.values(FailureType).filter(
  (type) => !NOT_SENT.includes(type) && !UNKNOWN.includes(type),
);

describe('classifyAttempt', () => {
  it.each(NOT_SENT)('takes %s for a call that may be sent again, after a pause', (type) => {
    const attempt = classifyAttempt(failed(type));

    expect(attempt).toEqual({ kind: 'not-sent', reason: `words of ${type}`, waitMs: 0 });
  });

  it.each([
    [0, 0],
    [200, 200],
    [30_000, 30_000],
  ])('pauses as the API asked: %d ms', (asked, waitMs) => {
    const attempt = classifyAttempt(failed('RateLimited', asked));

    expect(attempt).toMatchObject({ kind: 'not-sent', waitMs });
  });

  it.each(UNKNOWN)('takes %s for an unknown outcome', (type) => {
    const attempt = classifyAttempt(failed(type));

    expect(attempt).toEqual({ kind: 'unknown', reason: `words of ${type}` });
  });

  it.each(REJECTED)('takes %s for a definite no', (type) => {
    const error = failed(type);

    const attempt = classifyAttempt(error);

    expect(attempt).toEqual({ kind: 'rejected', error });
  });

  it.each<[string, Error | undefined]>([
    ['its start-to-close timeout', timeout(TimeoutType.START_TO_CLOSE)],
    ['a heartbeat timeout', timeout(TimeoutType.HEARTBEAT)],
    ['a schedule-to-close timeout', timeout(TimeoutType.SCHEDULE_TO_CLOSE)],
    ['a cancellation', new CancelledFailure('worker is shutting down')],
    ['a termination', new TerminatedFailure('terminated')],
    ['a failure of the server', new ServerFailure('no', false)],
    ['no cause', undefined],
  ])('never repeats blindly an attempt that ended with %s', (_title, cause) => {
    const attempt = classifyAttempt(activityFailed(cause));

    const reason = 'the attempt did not end in time, or its worker died';
    expect(attempt).toEqual({ kind: 'unknown', reason });
  });

  it('never repeats blindly after an error of the code of the activity', () => {
    const attempt = classifyAttempt(failed('TypeError'));

    expect(attempt).toEqual({ kind: 'unknown', reason: 'words of TypeError' });
  });

  it('never repeats blindly after the failure of a newer version', () => {
    const attempt = classifyAttempt(failed('AFailureOfNextYear'));

    expect(attempt.kind).toBe('unknown');
  });

  it.each<[string, unknown]>([
    ['an error of the workflow code', new TypeError('x is undefined')],
    ['a cancellation of the workflow', new CancelledFailure('cancelled')],
  ])('passes on %s', (_title, error) => {
    const classify = () => classifyAttempt(error);

    expect(classify).toThrow(Object(error));
  });
});

function timeout(type: TimeoutType): TimeoutFailure {
  return new TimeoutFailure('activity timed out', undefined, type);
}
