import type { PreparedSender } from '../core/prepared-run.js';
import type { RemoteApi } from '../core/product.js';
import type { Verdict } from '../send/verdict.js';
import type { MadeThing, MakeStep } from './make-step.js';
import type { Asked } from './step.js';

/** Judges what carries the marker of a request. Whether a run may remove a broken rest is not judged here. */
export function judgeMade<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi>(
  step: Pick<MakeStep<I, P, T, A>, 'kind' | 'condition' | 'differs'>,
  asked: Asked<I, P, A>,
  found: readonly T[],
): Verdict<T> {
  if (found.length === 0) return { kind: 'absent' };
  const lasting = found.filter((seen) => step.condition(seen) !== 'broken');
  const [first, second] = lasting;
  if (first === undefined) {
    const madeBy = found.map(({ creatorTaskId }) => creatorTaskId);
    return { kind: 'leftover', note: describeBroken(step.kind, found), taskIds: [], madeBy };
  }
  if (second !== undefined) {
    const ids = lasting.map(({ id }) => id).join(', ');
    const note = `${lasting.length} ${step.kind}s carry the marker of this one request: ${ids}.`;
    return { kind: 'contradiction', note };
  }
  const difference = step.differs(first, asked);
  if (difference !== undefined) {
    const note = `The ${step.kind} ${first.id} of this request is not as asked: ${difference}.`;
    return { kind: 'contradiction', note };
  }
  const taskIds = first.creatorTaskId === undefined ? [] : [first.creatorTaskId];
  return { kind: 'present', resource: first, taskIds };
}

/** `volume 4f… in status error` */
export function describeBroken(kind: string, found: readonly MadeThing[]): string {
  return found.map(({ id, status }) => `${kind} ${id} in status ${status}`).join(', ');
}
