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

import { FailureType } from '../../../src/engine/core/failures.js';
import { classifyAttempt } from '../../../src/engine/send/attempt-once.js';

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

const NOT_SENT: FailureType[] = [
  'ServiceUnavailable',
  'RateLimited',
  'ResourceBusy',
  'DecryptionFailed',
];
const UNKNOWN: FailureType[] = ['OutcomeUnknown', 'UnexpectedResponse', 'Defect'];
const REJECTED = Object.values(FailureType).filter(
  (type) => !NOT_SENT.includes(type) && !UNKNOWN.includes(type),
);

describe('classifyAttempt', () => {
  it.each(NOT_SENT)('allows another call after %s, after a pause', (type) => {
    const attempt = classifyAttempt(failed(type));

    expect(attempt).toMatchObject({ kind: 'not-sent', reason: `words of ${type}`, waitMs: 0 });
  });

  it('says what the API said of a 409, without the advice', () => {
    const said = (type: string) =>
      ApplicationFailure.create({ type, message: 'Locked. Wait.', details: [{ advice: 'Wait.' }] });

    const [busy, limited] = ['ResourceBusy', 'RateLimited'].map((type) =>
      classifyAttempt(activityFailed(said(type))),
    );

    expect(busy).toMatchObject({ busy: 'Locked.' });
    expect(limited).not.toHaveProperty('busy');
  });

  it.each([
    [0, 0],
    [200, 200],
    [30_000, 30_000],
  ])('pauses as long as the API asked: %d ms', (asked, waitMs) => {
    const attempt = classifyAttempt(failed('RateLimited', asked));

    expect(attempt).toMatchObject({ kind: 'not-sent', waitMs });
  });

  it('says how a run that was reset signs from now on', () => {
    const error = activityFailed(
      ApplicationFailure.create({
        type: FailureType.serviceUnavailable,
        message: 'not sent',
        details: [{ advice: 'none', resetTo: 'space/run' }],
      }),
    );

    const attempt = classifyAttempt(error);

    expect(attempt).toMatchObject({ kind: 'not-sent', resetTo: 'space/run' });
  });

  it.each(UNKNOWN)('classifies %s as an unknown outcome', (type) => {
    const attempt = classifyAttempt(failed(type));

    expect(attempt).toMatchObject({ kind: 'unknown', reason: `words of ${type}` });
    expect('defect' in attempt).toBe(type === 'Defect');
  });

  it.each(REJECTED)('classifies %s as a definite no', (type) => {
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
  ])('allows no blind repeat after %s', (_title, cause) => {
    const attempt = classifyAttempt(activityFailed(cause));

    const reason = 'the attempt did not end in time, or its worker died';
    expect(attempt).toEqual({ kind: 'unknown', reason });
  });

  it('knows that a call was not sent when no worker had taken it before its run asked for its end', () => {
    const cause = new CancelledFailure('Activity cancelled', ['ACTIVITY_ID_NOT_STARTED']);

    const attempt = classifyAttempt(activityFailed(cause));

    expect(attempt).toMatchObject({ kind: 'not-sent', waitMs: 0 });
  });

  it('knows that a call was not sent when no worker took it while its look was fresh', () => {
    const attempt = classifyAttempt(activityFailed(timeout(TimeoutType.SCHEDULE_TO_START)));

    expect(attempt).toMatchObject({ kind: 'not-sent', isStale: true, waitMs: 0 });
  });

  it('allows no blind repeat after a defect of the activity', () => {
    const attempt = classifyAttempt(failed('TypeError'));

    expect(attempt).toEqual({ kind: 'unknown', reason: 'words of TypeError' });
  });

  it('allows no blind repeat after an unknown failure type of a newer version', () => {
    const attempt = classifyAttempt(failed('AFailureOfNextYear'));

    expect(attempt.kind).toBe('unknown');
  });

  it.each<[string, unknown]>([
    ['an error of the workflow code', new TypeError('x is undefined')],
    ['a cancellation of the workflow', new CancelledFailure('cancelled')],
  ])('rethrows %s', (_title, error) => {
    const classify = () => classifyAttempt(error);

    expect(classify).toThrow(Object(error));
  });
});

function timeout(type: TimeoutType): TimeoutFailure {
  return new TimeoutFailure('activity timed out', undefined, type);
}
