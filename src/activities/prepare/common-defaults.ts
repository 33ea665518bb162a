import { toMilliseconds } from '../../contract/duration.js';
import { DEFAULT_ACCOUNT, plannedIdOf, planIdFor } from '../../contract/names.js';
import type { ProvisionInstanceInput } from '../../contract/operations/provision-instance.js';
import { invalidInput } from './invalid-input.js';
import { thisRun } from './this-run.js';

type CommonInput = Pick<ProvisionInstanceInput, 'account' | 'onBlocked' | 'deadline' | 'planOnly'>;

/** Of the fields that every input has. */
export function commonDefaults({ account, onBlocked, deadline, planOnly }: CommonInput) {
  const deadlineMs = toMilliseconds(deadline);
  return {
    account: account ?? DEFAULT_ACCOUNT,
    onBlocked: onBlocked ?? 'wait',
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(planOnly === true ? asPlan() : {}),
  } as const;
}

/** A plan waits for nobody: what a person has to mend is what it is there to say. */
function asPlan() {
  const { workflowId } = thisRun();
  if (plannedIdOf(workflowId) === undefined) {
    const message = `needs a Workflow Id of its own, ${planIdFor(workflowId)}: under this one its success would stand for the request`;
    throw invalidInput([{ path: 'planOnly', message }]);
  }
  return { planOnly: true, onBlocked: 'fail' } as const;
}
