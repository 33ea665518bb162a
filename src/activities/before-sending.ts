import { cancellationSignal } from '@temporalio/activity';

import { toApplicationFailure } from './http/api-failure.js';
import { isCancelRequest } from './http/cancel-request.js';
import { describeWithdrawn } from './http/describe-failure.js';

/**
 * Prepares a change that is sent afterwards. When the run asks for its end meanwhile, the failure says that
 * nothing was sent: as cancelled, its outcome would count as unknown.
 */
export async function beforeSending<T>(prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    if (!isCancelRequest(cancellationSignal())) throw error;
    const { message, ...rest } = describeWithdrawn();
    throw toApplicationFailure({ ...rest, message: `The call ${message}`, repeatable: false });
  }
}
