import {
  defineSearchAttributeKey,
  TypedSearchAttributes,
  type SearchAttributePair,
} from '@temporalio/common';

/** Two search attributes of the product: servers of tests have them. */
export const PHASE = defineSearchAttributeKey('GcorePhase', 'KEYWORD');
export const LABELS = defineSearchAttributeKey('GcoreLabels', 'KEYWORD_LIST');

/** Search attributes of a run: its phase, and its labels if there are any. */
export function attributes(phase: string, labels: string[] = []): TypedSearchAttributes {
  const pairs: SearchAttributePair[] = [{ key: PHASE, value: phase }];
  if (labels.length > 0) pairs.push({ key: LABELS, value: labels });
  return new TypedSearchAttributes(pairs);
}

export function plainAttributes(typed: TypedSearchAttributes): Record<string, unknown> {
  return Object.fromEntries(typed.getAll().map(({ key, value }) => [key.name, value]));
}
