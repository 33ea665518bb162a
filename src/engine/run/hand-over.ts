import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ApplicationFailure, sleep, startChild, workflowInfo } from '@temporalio/workflow';

import { webhookOrderedSignal } from '../core/messages.js';
import { DELIVER_WEBHOOKS, webhooksIdFor } from '../core/names.js';
import type { DeliveryInput, WebhookOrder } from '../core/webhooks.js';
import { Delivery, signalRun } from './signal-run.js';

/** It may end between a start that finds it open and a signal. */
const MAX_TRIES = 10;
/** A delivery that takes no more signals continues in a new history soon. */
const REFUSED_MS = 100;

/**
 * Hands orders to `deliverWebhooks`: it starts that child of this run, or signals the open one. The child ends
 * when it has nothing to deliver, and is started again by the next order.
 *
 * @param wasStarted an earlier history of this run has started it
 * @param closed the receivers that want no more by now: a new child knows what an earlier one has heard
 */
export function createHandOver(wasStarted: boolean, closed: () => readonly string[]) {
  let isOpen = wasStarted;
  return async (order: WebhookOrder): Promise<void> => {
    const { workflowId, firstExecutionRunId: runId } = workflowInfo();
    const id = webhooksIdFor(workflowId, runId);
    const { account } = order.event.body.data;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (isOpen) {
        const delivery = await signalRun(id, webhookOrderedSignal, order);
        if (delivery === Delivery.delivered) return;
        isOpen = delivery === Delivery.refused;
        if (isOpen) await sleep(REFUSED_MS * 2 ** tries, { summary: 'webhooks: next try' });
      } else {
        const isTaken = await isStarted(id, {
          workflowId,
          runId,
          account,
          orders: [order],
          closed: [...closed()],
        });
        isOpen = true;
        if (isTaken) return;
      }
    }
    throw ApplicationFailure.nonRetryable(`${id} neither starts nor takes a signal`);
  };
}

async function isStarted(workflowId: string, input: DeliveryInput): Promise<boolean> {
  try {
    await startChild<(input: DeliveryInput) => Promise<unknown>>(DELIVER_WEBHOOKS, {
      workflowId,
      args: [input],
      parentClosePolicy: 'ABANDON',
      staticSummary: `webhooks of ${input.workflowId}`,
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
