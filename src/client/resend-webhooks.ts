import {
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { z } from 'zod';

import { isSound } from '../engine/core/guards/guard.js';
import { webhookOrder } from '../engine/core/guards/message-guards.js';
import { deliveriesQuery, webhookOrderedSignal } from '../engine/core/messages.js';
import { DELIVER_WEBHOOKS, webhooksIdFor } from '../engine/core/names.js';
import { quoteValue } from '../engine/core/text.js';
import {
  hostOf,
  type DeliveryInput,
  type UndeliveredEvent,
  type WebhookOrder,
} from '../engine/core/webhooks.js';
import { askRun, describeRun, firstRunIdOf, type RunName } from './ask-run.js';
import { InvalidInputError } from './errors.js';
import { decodePayloads } from './explain/decode.js';
import type { HistoryEvent } from './history-events.js';
import { eventsOf } from './history-pages.js';

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
  givenUpBy: (run: RunName) => Promise<readonly Pick<UndeliveredEvent, 'id' | 'host'>[]>;
}

/** What was told to whom, and by which run of the request: its first Run Id. */
interface Told {
  order: WebhookOrder;
  runId: string;
}

/**
 * Hands webhooks of a request to the deliveries of the run that has told them again. A receiver that has taken one sees its id
 * again.
 * @throws RunNotFoundError, InvalidInputError for an event that no run of the request has told
 */
export async function resendWebhooks(
  client: Client,
  workflowId: string,
  { events, givenUpBy }: Asked,
): Promise<ResentWebhook[]> {
  const run = await describeRun(client, workflowId);
  const { taskQueue } = run;
  const told =
    events === undefined
      ? givenUpIn(await toldBy(client, run), await givenUpBy({ workflowId, runId: run.runId }))
      : await findTold(client, run, events);
  told.sort((a, b) => a.order.event.body.data.sequence - b.order.event.body.data.sequence);
  for (const { order, runId } of told) {
    const { account } = order.event.body.data;
    const deliveries = webhooksIdFor(workflowId, runId);
    const known = await knownBy(client, deliveries);
    const input: DeliveryInput = { workflowId, runId, account, orders: [], ...known };
    await client.workflow.signalWithStart(DELIVER_WEBHOOKS, {
      workflowId: deliveries,
      taskQueue,
      args: [input],
      signal: webhookOrderedSignal,
      signalArgs: [order],
      staticSummary: `webhooks of ${workflowId}`,
    });
  }
  return told.map(({ order: { event, targets } }) => ({
    id: event.id,
    type: event.body.type,
    sequence: event.body.data.sequence,
    hosts: targets.map(hostOf),
  }));
}

/** What the last deliveries have given up, and were asked for. Those that follow them are asked from now on, and know the rest too. */
async function knownBy(
  client: Client,
  workflowId: string,
): Promise<Pick<DeliveryInput, 'undelivered' | 'ordered'>> {
  const told = await askRun(client, { workflowId }, deliveriesQuery).catch(orNothing);
  return told === undefined ? {} : { undelivered: told.undelivered, ordered: told.ordered };
}

/** What was given up, for those for whom it was. */
function givenUpIn(
  told: ReadonlyMap<string, Told>,
  givenUp: readonly Pick<UndeliveredEvent, 'id' | 'host'>[],
): Told[] {
  const isGivenUp = (id: string, host: string): boolean =>
    givenUp.some((one) => one.id === id && one.host === host);
  return [...told.values()].flatMap(({ order, runId }) => {
    const { event } = order;
    const targets = order.targets.filter((target) => isGivenUp(event.id, hostOf(target)));
    return targets.length === 0 ? [] : [{ order: { event, targets }, runId }];
  });
}

/** An id names its event, whichever run of the request has told it. */
async function findTold(
  client: Client,
  run: WorkflowExecutionDescription,
  events: readonly string[],
): Promise<Told[]> {
  const told = new Map(await toldBy(client, run));
  const unknown = (): string[] => events.filter((id) => !told.has(id));
  if (unknown().length > 0) {
    for (const runId of await runIdsOf(client, run.workflowId)) {
      for (const [id, one] of await ordersOf(client, run.workflowId, runId)) told.set(id, one);
      if (unknown().length === 0) break;
    }
  }
  if (unknown().length > 0) {
    const message = 'is no event that a run of this id has told anybody, or its history is gone';
    throw new InvalidInputError(unknown().map((path) => ({ path, message })));
  }
  return [...new Set(events)].flatMap((id) => told.get(id) ?? []);
}

function toldBy(client: Client, run: WorkflowExecutionDescription): Promise<Map<string, Told>> {
  return ordersOf(client, run.workflowId, firstRunIdOf(run));
}

/** A run tells at most some dozens of events; each may have begun a history of its own. */
const MAX_HISTORIES = 200;

/** Every order that the deliveries of a run have had, by the id of its event. None for a Run Id of a later history. */
async function ordersOf(
  client: Client,
  workflowId: string,
  ofRun: string,
): Promise<Map<string, Told>> {
  const deliveries = webhooksIdFor(workflowId, ofRun);
  const found = new Map<string, Told>();
  for (const runId of await runIdsOf(client, deliveries)) {
    const payloads: Payload[] = [];
    for await (const event of eventsOf(client, { workflowId: deliveries, runId }))
      payloads.push(...messageOf(event));
    const { namespace, loadedDataConverter } = client.options;
    const owner = { type: 'workflow', namespace, workflowId: deliveries } as const;
    const values = await decodePayloads(loadedDataConverter, payloads, owner);
    for (const order of values.flatMap(ordersIn)) {
      const known = found.get(order.event.id);
      const isLarger = (known?.order.targets.length ?? 0) < order.targets.length;
      if (isLarger) found.set(order.event.id, { order, runId: ofRun });
    }
  }
  return found;
}

/** The list is a moment late, so the newest one is asked for by its id too. */
async function runIdsOf(client: Client, workflowId: string): Promise<Set<string>> {
  const runIds = new Set<string>();
  const newest = await client.workflow.getHandle(workflowId).describe().catch(orNothing);
  if (newest !== undefined) runIds.add(newest.runId);
  const query = `WorkflowId = ${quoteValue(workflowId)}`;
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
