import type { Finding, RunRecord } from '../../world/records.js';

/** One finding about a run. The sentence begins with what does not change from seed to seed. */
export function findingOf(
  invariant: string,
  { workflowId, operation }: Pick<RunRecord, 'workflowId' | 'operation'>,
  says: string,
): Finding {
  return { invariant, workflowId, says: `${operation}: ${says}` };
}
