import { activityInfo } from '@temporalio/activity';
import { defaultPayloadConverter } from '@temporalio/common';

import type { Codec } from '../codec/codec.js';
import { isInClear } from '../contract/clear-secrets.js';
import type { CutShortDeps } from './cut-short.js';

/** Below the timeout of the activity, which is repeated. */
const ANSWER_WITHIN_MS = 4_000;

/**
 * Whether a secret in the input of the current run can be read in its history without a key: a client without
 * a key has sent it, or this worker would write it there again, into the input of the call that sends it. A
 * corrected input is not in the history yet, so it counts as sent in the same way.
 */
export function createArrivedInClear({
  connection,
  namespace,
  codec,
}: CutShortDeps & { codec: Codec }): () => Promise<boolean> {
  return async () => {
    const { workflowExecution: execution } = activityInfo();
    if (execution === undefined) return true;
    const own = await codec.encode([defaultPayloadConverter.toPayload('')]);
    if (own.some(isInClear)) return true;
    const request = { namespace, execution, maximumPageSize: 1 };
    const page = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      connection.workflowService.getWorkflowExecutionHistory(request),
    );
    const started = page.history?.events?.[0]?.workflowExecutionStartedEventAttributes;
    return (started?.input?.payloads ?? []).some(isInClear);
  };
}
