import { clearSecretFaults } from '../../contract/clear-secrets.js';
import type { Operation } from '../../contract/wire/names.js';
import { invalidInput } from '../../engine/activities/invalid-input.js';
import type { PrepareDeps } from './prepare-deps.js';

/** The run is refused, but its history has the secret already. */
const RULE =
  'stands in clear in the history of this run, where others may have read it: replace this secret by another one, then start again with { "$secret": "name" } in its place, or encrypt the payloads, or allow it (GCORE_CLEAR_SECRETS=allow of the worker)';

/**
 * Refuses secrets that stand in clear in the history, where the worker does not accept them. Only for an
 * input with a secret it asks the Temporal server, once, how the input of this run has arrived. Fails as
 * `InvalidInput` with every fault by path.
 */
export async function refuseClearSecrets(
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
