import { toMilliseconds } from '../../contract/duration.js';
import { DEFAULT_ACCOUNT } from '../../contract/names.js';
import type { ProvisionInstanceInput } from '../../contract/operations/provision-instance.js';

type CommonInput = Pick<ProvisionInstanceInput, 'account' | 'onBlocked' | 'deadline'>;

/** Of the fields that every input has. */
export function commonDefaults({ account, onBlocked, deadline }: CommonInput) {
  const deadlineMs = toMilliseconds(deadline);
  return {
    account: account ?? DEFAULT_ACCOUNT,
    onBlocked: onBlocked ?? 'wait',
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  } as const;
}
