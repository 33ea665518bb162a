import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

import { FailureType } from '../core/failures.js';
import {
  describeStopping,
  describeWithdrawn,
  toApplicationFailure,
  type ApiFailure,
} from '../http/describe-failure.js';
import { isCancelRequest, isShutdown } from '../http/deadline.js';

/**
 * Prepares a change that is sent afterwards. Whatever passes by itself, the failure says that nothing was
 * sent: an unreadable answer, the end of the run or of the worker would count as an unknown outcome of the change.
 *
 * One lost answer of a read does not send the run back to look again, with a pause before.
 */
export async function beforeSending<T>(prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare().catch((error: unknown) => {
      const mayRepeat = isPassing(error) && error.nonRetryable !== true;
      if (!mayRepeat || error.nextRetryDelay !== undefined || isWithdrawn()) throw error;
      return prepare();
    });
  } catch (error) {
    if (isWithdrawn()) throw notSent(describeWithdrawn());
    if (isShutdown(error)) throw notSent(describeStopping());
    throw isPassing(error) ? toNotSent(error) : error;
  }
}

function isWithdrawn(): boolean {
  return isCancelRequest(cancellationSignal());
}

function isPassing(error: unknown): error is ApplicationFailure {
  if (!(error instanceof ApplicationFailure)) return false;
  return error.nonRetryable !== true || error.type === FailureType.unexpectedResponse;
}

function notSent({ message, ...rest }: ApiFailure): ApplicationFailure {
  return toApplicationFailure({ ...rest, message: `The call ${message}` });
}

function toNotSent({ message, details, nextRetryDelay }: ApplicationFailure): ApplicationFailure {
  return ApplicationFailure.create({
    type: FailureType.serviceUnavailable,
    message,
    nonRetryable: true,
    details: details ?? [],
    ...(nextRetryDelay && { nextRetryDelay }),
  });
}
