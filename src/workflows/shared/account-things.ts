/** Things of an account, which one id names and no task changes. */
import type { Verdict } from '../../engine/send/verdict.js';
import { orUndefinedIfGone } from '../../engine/run/failures.js';

/** The thing of an id, for a step that removes it. */
export async function findOne<T>(read: () => Promise<T>): Promise<Verdict<T>> {
  const resource = await orUndefinedIfGone(read());
  return resource === undefined ? { kind: 'absent' } : { kind: 'present', resource, taskIds: [] };
}
