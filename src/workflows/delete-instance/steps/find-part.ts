import type { OnePart } from '../../../activities/instance-parts.js';
import {
  findUnlessGone,
  type FoundOrGone,
  type Sought,
} from '../../../engine/wait/find-unless-gone.js';
import { placeOf, type DeleteRun } from './delete-run.js';

export type Part = Pick<OnePart, 'kind' | 'id'>;

/** An instance or a part that is named by its id, or that was there. The list is the other kind of evidence. */
export function findPart<T>(
  run: DeleteRun,
  { kind, id }: Part,
  sought: Pick<Sought<T>, 'look' | 'isDeleted'>,
): Promise<FoundOrGone<T>> {
  return findUnlessGone(run, {
    ...sought,
    name: `${kind} ${id}`,
    isListed: () => run.api.reads.isPartListed({ ...placeOf(run.prepared), kind, id }),
  });
}
