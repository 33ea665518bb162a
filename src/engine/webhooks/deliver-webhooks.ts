import {
  CancellationScope,
  condition,
  isCancellation,
  makeContinueAsNewFunc,
  workflowInfo,
} from '@temporalio/workflow';

import { anything, webhookOrder } from '../core/guards/message-guards.js';
import { isoOf } from '../core/times.js';
import type { Product } from '../core/product.js';
import {
  deliveriesQuery,
  newVersionSignal,
  webhookGivenUpSignal,
  webhookOrderedSignal,
} from '../core/messages.js';
import {
  hostOf,
  keyOf,
  toUndelivered,
  type Deliveries,
  type DeliveryInput,
  type OrderedEvent,
  type UndeliveredEvent,
  type WebhookEvent,
  type WebhookOrder,
  type WebhookTarget,
} from '../core/webhooks.js';
import type { FieldsOf } from '../core/prepared-run.js';
import { AT_CURRENT_VERSION, isNewerVersionCurrent } from '../run/continue-run-as-new.js';
import { note } from '../run/note.js';
import { onQuery, onSignal } from '../run/on-message.js';
import { refuseUnknownFields } from '../run/refuse-unknown-fields.js';
import { signalRun } from '../run/signal-run.js';
import { addToLine, toOrders, type DeliveryLine } from './delivery-line.js';
import { sendUntilDelivered } from './send-until-delivered.js';

const MAX_NAMED = 20;
const MAX_ORDERED = 100;

type Deliver = (input: DeliveryInput) => Promise<UndeliveredEvent[]>;

const INPUT_FIELDS = {
  workflowId: true,
  runId: true,
  account: true,
  orders: true,
  undelivered: true,
  ordered: true,
  closed: true,
} as const satisfies FieldsOf<DeliveryInput>;

/**
 * Delivers the webhooks of one run, beside it and after it: at least once, and to each receiver in order, the
 * next event after the one before was delivered or given up. Ends when nothing is left to deliver.
 * Answers the query `deliveries`. Tells the run, while that is open, what a receiver will never get. Continues in a
 * new history when this one is long, or when a newer version of the workers is current.
 *
 * @returns the events that were given up
 */
export async function deliverWebhooks(
  product: Product,
  input: DeliveryInput,
): Promise<UndeliveredEvent[]> {
  refuseUnknownFields('the input', input, INPUT_FIELDS);
  const desk = createDesk(input, product);
  input.orders.forEach(desk.take);
  // A signal of the first workflow task is handled right here: it comes after the orders of the start.
  onSignal(webhookOrderedSignal, webhookOrder, desk.hear);
  onQuery(deliveriesQuery, desk.document);
  onSignal(newVersionSignal, anything, desk.endIfDue);
  await condition(desk.isIdle);
  const orders = desk.left();
  const { undelivered, ordered } = desk.document();
  if (orders.length === 0) return undelivered;
  const closed = desk.closed();
  const continueAsNew = makeContinueAsNewFunc<Deliver>(AT_CURRENT_VERSION);
  return continueAsNew({ ...input, orders, undelivered, ordered, closed });
}

function isTimeToContinue(): boolean {
  return workflowInfo().continueAsNewSuggested || isNewerVersionCurrent();
}

/** Takes orders, and works on a line for each receiver. */
function createDesk(
  { workflowId, runId, account, ...before }: DeliveryInput,
  product: Pick<Product, 'metrics' | 'queues' | 'settings'>,
) {
  const lines = new Map<string, DeliveryLine>();
  const closed = new Set(before.closed);
  let undelivered = before.undelivered ?? [];
  let ordered = before.ordered ?? [];
  /** What is being sent. The end of this history ends it, and the next one sends it again under the same id. */
  const sends = new CancellationScope();
  const { track, isIdle } = createTracker();

  const endIfDue = (): void => {
    if (isTimeToContinue()) sends.cancel();
  };
  const giveUp = async (
    events: readonly WebhookEvent[],
    target: WebhookTarget,
    reason: string,
  ): Promise<void> => {
    const at = isoOf(Date.now());
    const key = keyOf(target);
    const isGone = closed.has(key) && { closed: key };
    const named = events.map((event) => toUndelivered(event, target, { at, reason }));
    undelivered = [...undelivered, ...named].slice(-MAX_NAMED);
    note(product.metrics.webhooksGivenUp, named.length, {});
    for (const one of named.slice(-MAX_NAMED)) {
      // A run that has ended cannot be told: the client asks here then.
      await signalRun(workflowId, webhookGivenUpSignal, { runId, undelivered: one, ...isGone });
    }
  };
  const deliverFirst = async (line: DeliveryLine, event: WebhookEvent): Promise<void> => {
    const { target, waiting } = line;
    const { reason, isGone = false } = await sends.run(() =>
      sendUntilDelivered({ target, event }, { account, product }),
    );
    line.isClosed = isGone;
    if (isGone) closed.add(keyOf(target));
    const done = waiting.splice(0, isGone ? waiting.length : 1);
    if (reason !== undefined) await giveUp(done, target, reason);
    endIfDue();
  };
  const work = async (line: DeliveryLine): Promise<void> => {
    line.isWorking = true;
    for (const event of firstOf(line.waiting)) await deliverFirst(line, event);
    line.isWorking = false;
  };

  const take = ({ event, targets }: WebhookOrder): void => {
    for (const target of targets) {
      const line = lineOf(target, { lines, closed });
      const dropped = addToLine(line, event);
      if (dropped) void track(() => giveUp([dropped.event], target, dropped.reason));
      if (!line.isWorking) void track(() => work(line));
    }
    endIfDue();
  };

  return {
    take,
    /** An order by a signal may be for what was given up before. */
    hear: (order: WebhookOrder): void => {
      undelivered = undelivered.filter((one) => !isAskedIn(order, one));
      ordered = [...ordered, ...namedIn(order)].slice(-MAX_ORDERED);
      take(order);
    },
    endIfDue,
    isIdle,
    closed: () => [...closed],
    left: () => toOrders([...lines.values()]),
    document: (): Deliveries => ({ undelivered, ordered, pending: pendingIn(lines) }),
  };
}

/** Knows whether anything is being done. */
function createTracker() {
  let busy = 0;
  return {
    isIdle: () => busy === 0,
    track: async (work: () => Promise<void>): Promise<void> => {
      busy += 1;
      try {
        await work();
      } catch (error) {
        // Then this history ends, or the whole workflow.
        if (!isCancellation(error)) throw error;
      }
      busy -= 1;
    },
  };
}

/** The first event, as long as there is one and the history has room. */
function* firstOf(waiting: readonly WebhookEvent[]): Generator<WebhookEvent> {
  for (let [first] = waiting; first !== undefined && !isTimeToContinue(); [first] = waiting) {
    yield first;
  }
}

/** What was given up, and is to be sent after all. */
function isAskedIn({ event, targets }: WebhookOrder, { id, host }: UndeliveredEvent): boolean {
  return id === event.id && targets.some((target) => hostOf(target) === host);
}

function lineOf(
  target: WebhookTarget,
  { lines, closed }: { lines: Map<string, DeliveryLine>; closed: ReadonlySet<string> },
): DeliveryLine {
  const key = keyOf(target);
  const known = lines.get(key);
  const line = known ?? { target, waiting: [], isClosed: closed.has(key), isWorking: false };
  lines.set(key, line);
  return line;
}

function namedIn({ event, targets }: WebhookOrder): OrderedEvent[] {
  return targets.map((target) => ({ id: event.id, host: hostOf(target) }));
}

function pendingIn(lines: ReadonlyMap<string, DeliveryLine>): Deliveries['pending'] {
  return [...lines.values()].flatMap(toPending);
}

function toPending({ target, waiting }: DeliveryLine): Deliveries['pending'] {
  const [first] = waiting;
  if (first === undefined) return [];
  return [{ host: hostOf(target), events: waiting.length, since: first.body.timestamp }];
}
