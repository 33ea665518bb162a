import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { z } from 'zod';

import { isSound } from '../engine/core/guards/guard.js';
import { webhookOrder } from '../engine/core/guards/message-guards.js';
import { webhookOrderedSignal } from '../engine/core/messages.js';
import { DELIVER_WEBHOOKS, webhooksIdFor } from '../engine/core/names.js';
import { quoteValue } from '../engine/core/text.js';
import {
  hostOf,
  type DeliveryInput,
  type UndeliveredEvent,
  type WebhookOrder,
} from '../engine/core/webhooks.js';
import { describeRun } from './ask-run.js';
import { InvalidInputError } from './errors.js';
import { decodePayloads } from './explain/decode.js';
import type { HistoryEvent } from './history-events.js';

/** A webhook that is sent again, under the id that it had. */
export interface ResentWebhook {
  id: string;
  type: string;
  /** Its place among the events of the run, from 1. */
  sequence: number;
  /** The receivers. Their URLs may hold secrets. */
  hosts: string[];
}

interface Asked {
  /** Ids of events, for everybody who has asked for them; left out: those that were given up. */
  events?: readonly string[] | undefined;
  givenUp: readonly Pick<UndeliveredEvent, 'id' | 'host'>[];
}

/**
 * Hands webhooks of a run to its deliveries again. A receiver that has taken one sees its id again.
 * @throws RunNotFoundError, InvalidInputError for an event that the run did not tell
 */
export async function resendWebhooks(
  client: Client,
  workflowId: string,
  asked: Asked,
): Promise<ResentWebhook[]> {
  const { raw, taskQueue, runId: newest } = await describeRun(client, workflowId);
  const runId = raw.workflowExecutionInfo?.firstRunId || newest;
  const deliveries = webhooksIdFor(workflowId, runId);
  const orders = chosen(await ordersOf(client, deliveries), asked);
  for (const order of orders) {
    const { account } = order.event.body.data;
    const input: DeliveryInput = { workflowId, runId, account, orders: [] };
    await client.workflow.signalWithStart(DELIVER_WEBHOOKS, {
      workflowId: deliveries,
      taskQueue,
      args: [input],
      signal: webhookOrderedSignal,
      signalArgs: [order],
      staticSummary: `webhooks of ${workflowId}`,
    });
  }
  return orders.map(({ event: { id, body }, targets }) => ({
    id,
    type: body.type,
    sequence: body.data.sequence,
    hosts: targets.map(hostOf),
  }));
}

/** In the order in which the run has told them. */
function chosen(orders: ReadonlyMap<string, WebhookOrder>, { events, givenUp }: Asked) {
  const unknown = (events ?? []).filter((id) => !orders.has(id));
  if (unknown.length > 0) {
    const message = 'is no event that this run has told anybody, or its history is gone';
    throw new InvalidInputError(unknown.map((path) => ({ path, message })));
  }
  const isWanted = (id: string, host: string): boolean =>
    events?.includes(id) ?? givenUp.some((one) => one.id === id && one.host === host);
  return [...orders.values()]
    .map(({ event, targets }) => ({
      event,
      targets: targets.filter((target) => isWanted(event.id, hostOf(target))),
    }))
    .filter(({ targets }) => targets.length > 0)
    .sort((one, other) => one.event.body.data.sequence - other.event.body.data.sequence);
}

/** A run tells at most some dozens of events; each may have begun a history of its own. */
const MAX_HISTORIES = 200;

/** Every order that the deliveries of a run have had, by the id of its event. */
async function ordersOf(client: Client, deliveries: string): Promise<Map<string, WebhookOrder>> {
  const found = new Map<string, WebhookOrder>();
  for (const runId of await runIdsOf(client, deliveries)) {
    const history = await client.workflow
      .getHandle(deliveries, runId)
      .fetchHistory()
      .catch(orNothing);
    const payloads = history?.events?.flatMap(messageOf) ?? [];
    const { namespace, loadedDataConverter } = client.options;
    const owner = { type: 'workflow', namespace, workflowId: deliveries } as const;
    const values = await decodePayloads(loadedDataConverter, payloads, owner);
    for (const order of values.flatMap(ordersIn)) {
      const known = found.get(order.event.id);
      const isLarger = (known?.targets.length ?? 0) < order.targets.length;
      if (isLarger) found.set(order.event.id, order);
    }
  }
  return found;
}

/** The list is a moment late, so the newest one is asked for by its id too. */
async function runIdsOf(client: Client, deliveries: string): Promise<Set<string>> {
  const runIds = new Set<string>();
  const newest = await client.workflow.getHandle(deliveries).describe().catch(orNothing);
  if (newest !== undefined) runIds.add(newest.runId);
  const query = `WorkflowId = ${quoteValue(deliveries)}`;
  for await (const { runId } of client.workflow.list({ query })) {
    runIds.add(runId);
    if (runIds.size === MAX_HISTORIES) break;
  }
  return runIds;
}

function orNothing(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

/** What the deliveries were started or signalled with. */
function messageOf(event: HistoryEvent): Payload[] {
  const {
    workflowExecutionStartedEventAttributes: started,
    workflowExecutionSignaledEventAttributes: signaled,
  } = event;
  const isOrder = signaled?.signalName === webhookOrderedSignal.name;
  return [started?.input, isOrder ? signaled.input : undefined].flatMap(
    (input) => input?.payloads ?? [],
  );
}

const startSchema = z.object({ orders: z.array(z.unknown()) });

/** Of a start, or of a signal. What anybody else has sent there is left out. */
function ordersIn(value: unknown): WebhookOrder[] {
  const started = startSchema.safeParse(value).data;
  return (started?.orders ?? [value]).filter((order) => isSound(webhookOrder, order));
}
