import type { SecretPlace } from '../../../contract/wire/secret-ref.js';
import { plural } from '../../../engine/core/plural.js';
import type { Draft } from '../../../engine/plan/planning.js';
import type { PlanReads } from '../../gcore.js';

/** Secrets that one plan checks. The call and its answer stand in the history. */
const MAX_CHECKED = 500;

/** Says which secrets of an input the worker would not find. Each is read once and forgotten. */
export async function checkSecrets(
  { reads }: { reads: Pick<PlanReads, 'checkSecrets'> },
  draft: Pick<Draft, 'fault' | 'warn' | 'look'>,
  named: readonly SecretPlace[],
): Promise<void> {
  const distinct = new Map<string, SecretPlace>();
  for (const place of named) {
    const id = JSON.stringify([place.ref.$secret, place.ref.key]);
    if (!distinct.has(id)) distinct.set(id, place);
  }
  const places = [...distinct.values()].slice(0, MAX_CHECKED);
  if (places.length === 0) return;
  const seen = await draft.look('the secrets', () => reads.checkSecrets({ places }));
  if (seen.is === 'there') for (const fault of seen.value) draft.fault(fault);
  const unchecked = distinct.size - places.length;
  if (unchecked === 0) return;
  draft.warn({
    message: `The plan has not checked ${plural(unchecked, 'secret')} more of this input`,
    advice: 'Nothing to do: a run that misses one waits until it exists.',
  });
}
