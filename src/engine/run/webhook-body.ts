import { workflowInfo } from '@temporalio/workflow';

import { jsonByteLength, firstThatFit } from '../core/text.js';
import { isoOf } from '../core/times.js';
import type { ItemCounts, WebhookEventType } from '../core/status.js';
import type { WebhookBody } from '../core/webhooks.js';
import { endedStatus, type EndPhase } from './fit-status.js';
import type { Ledger } from './ledger.js';

/** What belongs to one event and is not in the ledger yet. */
export interface WebhookFacts {
  counts?: ItemCounts;
  /** The run ends in it. */
  phase?: EndPhase;
}

interface Telling {
  account: string;
  sequence: number;
  ledger: Ledger;
  facts: WebhookFacts;
}

/** Each event is in two histories, and up to 150 pass to the next one of the delivery. */
const MAX_STATUS_BYTES = 8_192;
const MAX_RESOURCES_BYTES = 4_096;

export function toWebhookBody(
  type: WebhookEventType,
  { account, sequence, ledger, facts: { counts, phase } }: Telling,
): WebhookBody {
  const { workflowId, firstExecutionRunId: runId } = workflowInfo();
  const known = ledger.document();
  const status = phase === undefined ? known : endedStatus(known, phase, isoOf(Date.now()));
  const isSmall = jsonByteLength(status) <= MAX_STATUS_BYTES;
  return {
    type,
    timestamp: isoOf(Date.now()),
    data: {
      workflowId,
      runId,
      operation: status.operation,
      account,
      ...(status.labels && { labels: status.labels }),
      sequence,
      resources: firstThatFit(ledger.resources(), MAX_RESOURCES_BYTES),
      ...(counts && { counts }),
      ...(isSmall && { status }),
    },
  };
}
