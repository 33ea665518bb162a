import { activityInfo } from '@temporalio/activity';

import { isInClear } from '../contract/clear-secrets.js';
import type { CutShortDeps } from './cut-short.js';

/** Below the timeout of the activity, which is repeated. */
const ANSWER_WITHIN_MS = 4_000;

/**
 * Whether the input of the run of the current activity stands in clear in its history: a client without a
 * key has sent it. A corrected input is not in the history yet, so it counts as sent in the same way.
 */
export function createArrivedInClear({
  connection,
  namespace,
}: CutShortDeps): () => Promise<boolean> {
  return async () => {
    const { workflowExecution: execution } = activityInfo();
    if (execution === undefined) return true;
    const request = { namespace, execution, maximumPageSize: 1 };
    const page = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      connection.workflowService.getWorkflowExecutionHistory(request),
    );
    const started = page.history?.events?.[0]?.workflowExecutionStartedEventAttributes;
    return (started?.input?.payloads ?? []).some(isInClear);
  };
}
