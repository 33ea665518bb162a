import { invalidInput } from '../../engine/activities/run-of-activity.js';
import { notifyOf } from './notify.js';
import type { PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';
import { clearSecretFaults } from '../../contract/clear-secrets.js';
import type { ProvisionInstanceInput } from '../../contract/operations/types.js';
import type { Operation } from '../../contract/wire/names.js';
import { DEFAULT_ACCOUNT, plannedIdOf, planIdFor } from '../../engine/core/names.js';
import { toMilliseconds } from '../../engine/schema/parse-input.js';

/** The fields that every input has. */
export type CommonInput = Pick<
  ProvisionInstanceInput,
  'account' | 'onBlocked' | 'deadline' | 'planOnly' | 'labels' | 'notify'
>;

/** Defaults of the fields that every input has. */
export function commonDefaults(
  { account: given, onBlocked, deadline, planOnly, labels, notify }: CommonInput,
  deps: Pick<PrepareDeps, 'webhooks'>,
) {
  const account = given ?? DEFAULT_ACCOUNT;
  const deadlineMs = toMilliseconds(deadline);
  return {
    account,
    onBlocked: onBlocked ?? 'wait',
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(labels && { labels }),
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

/** The run is refused, but its history has the secret already. */
const RULE =
  'stands in clear in the history of this run, where others may have read it: replace this secret by another one, then start again with { "$secret": "name" } in its place, or encrypt the payloads, or allow it (GCORE_CLEAR_SECRETS=allow of the worker)';

/**
 * Refuses secrets that stand in clear in the history, where the worker does not accept them. Only for an
 * input with a secret it asks the Temporal server, once, how the input of this run has arrived. Fails as
 * `InvalidInput` with every fault by path.
 */
export async function refusePlaintextSecrets(
  operation: Operation,
  input: unknown,
  { secretsPolicy = 'unless-encrypted', arrivedInClear }: PrepareDeps,
): Promise<void> {
  if (secretsPolicy === 'allow') return;
  const faults = clearSecretFaults(operation, input, RULE);
  if (faults.length === 0) return;
  const isInClear = secretsPolicy === 'refuse' || ((await arrivedInClear?.()) ?? true);
  if (isInClear) throw invalidInput(faults);
}
