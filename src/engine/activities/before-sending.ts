import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

import { FailureType } from '../core/failures.js';
import { toApplicationFailure, describeWithdrawn } from '../http/describe-failure.js';
import { isCancelRequest } from '../http/deadline.js';

/**
 * Prepares a change that is sent afterwards. Whatever passes by itself, the failure says that nothing was
 * sent: an unreadable answer, or the end of the run, would count as an unknown outcome of the change.
 *
 * One lost answer of a read does not send the run back to look again, with a pause before.
 */
export async function beforeSending<T>(prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare().catch((error: unknown) => {
      if (!isPassing(error) || error.nextRetryDelay !== undefined || isWithdrawn()) throw error;
      return prepare();
    });
  } catch (error) {
    if (isWithdrawn()) throw withdrawnFailure();
    throw isPassing(error) ? toNotSent(error) : error;
  }
}

function isWithdrawn(): boolean {
  return isCancelRequest(cancellationSignal());
}

function isPassing(error: unknown): error is ApplicationFailure {
  return error instanceof ApplicationFailure && error.nonRetryable !== true;
}

function withdrawnFailure(): ApplicationFailure {
  const { message, ...rest } = describeWithdrawn();
  return toApplicationFailure({ ...rest, message: `The call ${message}`, repeatable: false });
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
