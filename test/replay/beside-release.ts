import { PREPARED_FIELDS } from '../../src/contract/wire/prepared.js';
import { unknownFields } from '../../src/engine/core/prepared-run.js';
import type { Operation } from '../../src/contract/wire/names.js';
import type { Corpus } from '../support/replay/corpus.js';

/** What this version does in open runs. */
export interface ThisVersion {
  /** What runs record, by operation: one example for each kind of input. */
  prepared: Partial<Record<Operation, readonly unknown[]>>;
  patches: readonly string[];
  heldBack: readonly string[];
}

/**
 * What workers of a released version would not know of the runs of this one, and this one of theirs. Deployments are
 * rolling: for a while each is offered what the other has begun. An operation that the release does not have is never
 * offered to it.
 */
export function faultsBeside(
  release: Corpus,
  { prepared, patches, heldBack }: ThisVersion,
): string[] {
  const fields = Object.entries(prepared).flatMap(([operation, examples]) => {
    const known = release.prepared[operation];
    if (known === undefined) return [];
    const unknown = new Set(examples.flatMap((example) => unknownFields(example, known)));
    return [...unknown].map(
      (field) => `${operation} records ${field}: record it one release after it is known`,
    );
  });
  const inUse = patches.filter((patch) => !heldBack.includes(patch));
  return [
    ...fields,
    ...inUse
      .filter((patch) => !release.patches.includes(patch))
      .map((patch) => `uses patch ${patch}: hold it back for a release`),
    ...release.patches
      .filter((patch) => !patches.includes(patch))
      .map((patch) => `does not know patch ${patch}`),
    ...unknownFields(release.prepared, PREPARED_FIELDS).map((field) => `does not know ${field}`),
  ];
}
