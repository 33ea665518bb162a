import { toMilliseconds } from '../../engine/schema/duration.js';
import { DEFAULT_ACCOUNT, plannedIdOf, planIdFor } from '../../engine/core/names.js';
import type { ProvisionInstanceInput } from '../../contract/operations/provision-instance.js';
import { invalidInput } from '../../engine/activities/invalid-input.js';
import { notifyOf } from './notify.js';
import type { PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';

type CommonInput = Pick<
  ProvisionInstanceInput,
  'account' | 'onBlocked' | 'deadline' | 'planOnly' | 'notify'
>;

/** Defaults of the fields that every input has. */
export function commonDefaults(
  { account: given, onBlocked, deadline, planOnly, notify }: CommonInput,
  deps: Pick<PrepareDeps, 'webhooks'>,
) {
  const account = given ?? DEFAULT_ACCOUNT;
  const deadlineMs = toMilliseconds(deadline);
  return {
    account,
    onBlocked: onBlocked ?? 'wait',
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    // Nobody waits for a plan elsewhere.
    ...(planOnly === true ? asPlan() : notifyOf(account, notify, deps)),
  } as const;
}

/** A plan does not wait for a person: it reports what a person has to fix. */
function asPlan() {
  const { workflowId } = thisRun();
  if (plannedIdOf(workflowId) === undefined) {
    const message = `needs its own Workflow Id, ${planIdFor(workflowId)}: under this id its success would count as the success of the request`;
    throw invalidInput([{ path: 'planOnly', message }]);
  }
  return { planOnly: true, onBlocked: 'fail' } as const;
}
