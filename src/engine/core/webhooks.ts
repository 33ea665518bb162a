import { plural } from './text.js';
import type { Resource, ItemCounts, WebhookEventType } from './status.js';
import type { StatusDocument } from '../schema/status-document.js';

/** A receiver, and what it is told. */
export interface WebhookTarget {
  url: string;
  /** Names the file with the signing secrets below the folder of the worker. */
  secretName: string;
  events: readonly WebhookEventType[];
}

/** `data` of a webhook. */
export interface WebhookData {
  workflowId: string;
  /** Run Id of the first history of the run. */
  runId: string;
  operation: StatusDocument['operation'];
  account: string;
  /** Counts the events of a run from 1, whoever asked for them. */
  sequence: number;
  resources: Resource[];
  /** `items.failed` only: items by outcome. */
  counts?: ItemCounts | undefined;
  /** Left out when it is larger than 8 KiB: ask for it. */
  status?: StatusDocument | undefined;
}

/** The body of a webhook, after Standard Webhooks: every try of one event sends the same body. */
export interface WebhookBody {
  type: WebhookEventType;
  /** When it happened, in ISO 8601. */
  timestamp: string;
  data: WebhookData;
}

/** An event and the id that all its deliveries carry. */
export interface WebhookEvent {
  id: string;
  body: WebhookBody;
}

/** What a run hands to its deliveries. */
export interface WebhookOrder {
  event: WebhookEvent;
  /** Who asked for this event. */
  targets: WebhookTarget[];
}

/** An event that a receiver will never get. */
export interface UndeliveredEvent {
  id: string;
  type: WebhookEventType;
  sequence: number;
  /** Of the receiver. Its URL may hold a secret. */
  host: string;
  /** When the delivery was given up, in ISO 8601. */
  at: string;
  reason: string;
}

/** What a run is told while it is open. */
export interface WebhookGivenUp {
  /** Run Id of its first history. */
  runId: string;
  undelivered: UndeliveredEvent;
  /** The receiver, as `DeliveryInput.closed` names it, when it wants no more events of this run. */
  closed?: string;
}

export type OrderedEvent = Pick<UndeliveredEvent, 'id' | 'host'>;

/** What the workflow that delivers says when it is asked. */
export interface Deliveries {
  undelivered: UndeliveredEvent[];
  /** Events that were ordered since the first ones: whoever has given one up before is out of date. */
  ordered: OrderedEvent[];
  /** Events that are still being sent, by receiver. */
  pending: { host: string; events: number; since: string }[];
}

/** Two entries with one URL and different secrets are two receivers. */
export function keyOf({ url, secretName }: Pick<WebhookTarget, 'url' | 'secretName'>): string {
  return `${secretName} ${url}`;
}

export function hostOf({ url }: Pick<WebhookTarget, 'url'>): string {
  // A workflow has no URL class: the contract has checked the form.
  return /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? 'an unknown host';
}

/** What `deliverWebhooks` starts with. */
export interface DeliveryInput {
  /** The run that tells. */
  workflowId: string;
  /** Run Id of its first history. */
  runId: string;
  account: string;
  /** Events in their order, and who still has to get them. */
  orders: WebhookOrder[];
  /** What an earlier history has given up. */
  undelivered?: UndeliveredEvent[];
  /** What an earlier history was asked to send. */
  ordered?: OrderedEvent[];
  /** Receivers that want no more: each with its URL and the name of its secret. */
  closed?: string[];
}

export function toUndelivered(
  { id, body }: WebhookEvent,
  target: WebhookTarget,
  { at, reason }: { at: string; reason: string },
): UndeliveredEvent {
  return { id, type: body.type, sequence: body.data.sequence, host: hostOf(target), at, reason };
}

const MAX_REMARKS = 3;

/** What a reader of a status should know about its webhooks; nothing while all are delivered. */
export function webhookRemarks({ webhooks }: Pick<StatusDocument, 'webhooks'>): string[] {
  const { undelivered = [], pending = [] } = webhooks ?? {};
  const given = undelivered
    .slice(-MAX_REMARKS)
    .map(
      ({ type, sequence, host, at, reason }) =>
        `Webhook ${sequence} (${type}) to ${host} was given up at ${at}. ${reason}`,
    );
  const open = pending.map(
    ({ host, events, since }) =>
      `${plural(events, 'webhook')} to ${host} not delivered yet, since ${since}.`,
  );
  const others = undelivered.length - given.length;
  const more = others > 0 ? [`${plural(others, 'other webhook')} given up before.`] : [];
  return [...more, ...given, ...open];
}
