import type { Client } from '@temporalio/client';

import { deliveriesQuery } from '../engine/core/messages.js';
import { webhooksIdFor } from '../engine/core/names.js';
import { Phase } from '../engine/core/status.js';
import type { StatusDocument } from '../engine/schema/status-document.js';
import { askRun } from './ask-run.js';

const ENDED: ReadonlySet<Phase> = new Set([Phase.succeeded, Phase.failed, Phase.cancelled]);

/**
 * The status of a run with what became of its webhooks after its end: an ended run cannot learn that any more, so
 * the delivery is asked. When that does not answer, the status says what the run knew.
 */
export async function withDeliveries(
  client: Client,
  workflowId: string,
  status: StatusDocument,
): Promise<StatusDocument> {
  const { webhooks, phase } = status;
  if (webhooks === undefined || !ENDED.has(phase)) return status;
  const deliveries = await deliveriesOf(client, workflowId).catch(() => undefined);
  if (deliveries === undefined) return status;
  const { undelivered: late, pending } = deliveries;
  const key = ({ id, host }: (typeof late)[number]): string => `${id} ${host}`;
  const known = new Map([...(webhooks.undelivered ?? []), ...late].map((one) => [key(one), one]));
  const undelivered = [...known.values()];
  return {
    ...status,
    webhooks: {
      ...webhooks,
      ...(undelivered.length > 0 && { undelivered }),
      ...(pending.length > 0 && { pending }),
    },
  };
}

async function deliveriesOf(client: Client, workflowId: string) {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  const runId = raw.workflowExecutionInfo?.firstRunId ?? '';
  return askRun(client, webhooksIdFor(workflowId, runId), deliveriesQuery);
}
