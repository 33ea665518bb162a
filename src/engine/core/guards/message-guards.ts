/**
 * The arguments of all signals and updates. Any Temporal client may send anything under these names, and what a
 * workflow cannot work with would stop it until another version of the code runs.
 */
import { shapeFaults } from '../faults.js';
import type {
  AbortRequest,
  AskedBy,
  ExtendRequest,
  JoinRequest,
  ResumeRequest,
  RunRef,
  TurnEnd,
  TurnFree,
  TurnQuestion,
  TurnTaken,
  TurnWish,
} from '../messages.js';
import { WEBHOOK_EVENT_TYPES } from '../status.js';
import type {
  UndeliveredEvent,
  WebhookBody,
  WebhookData,
  WebhookEvent,
  WebhookGivenUp,
  WebhookOrder,
  WebhookTarget,
} from '../webhooks.js';
import {
  guardOf,
  listOf,
  object,
  oneOf,
  optional,
  text,
  wholeNumber,
  type Guard,
} from './guard.js';

/** A signal that says all by its name. */
export const anything: Guard<unknown> = { faults: () => [] };

/** Temporal takes ids of 1,000 bytes, and fails the workflow task that signals a longer one, or none. */
const id = text({ min: 1, max: 1_000 });
const name = text({ min: 1, max: 1_000 });
const MAX_WAITERS = 10_000;
const line = listOf(id, { max: MAX_WAITERS });
const isTrue = oneOf([true]);
const IS_OPEN = { isOpen: true };

/** In milliseconds since the epoch, up to the year 2100: the server refuses a timer of thousands of years. */
const time = wholeNumber({ min: 0, max: Date.UTC(2100, 0) });
const isoTime = guardOf<string>((value) =>
  typeof value === 'string' && value.length <= 40 && isTimeOfNow(Date.parse(value))
    ? undefined
    : 'must be a time in ISO 8601',
);

/** No timer ends before 1970 or after 2100; not a number is neither. */
function isTimeOfNow(ms: number): boolean {
  return ms >= 0 && ms <= Date.UTC(2100, 0);
}

export const turnWish = object<TurnWish>({ waiter: id, behind: line }, IS_OPEN);
export const turnTaken = object<TurnTaken>(
  { resource: name, lock: id, holder: id, since: isoTime },
  IS_OPEN,
);
const runRef = object<RunRef>({ workflowId: id, runId: id }, IS_OPEN);
export const turnQuestion = object<TurnQuestion>({ resource: name, lock: runRef }, IS_OPEN);
export const turnEnd = object<TurnEnd>(
  { lock: id, keptUntil: optional(time), isCutShort: optional(isTrue) },
  IS_OPEN,
);
export const turnFree = object<TurnFree>(
  {
    resource: name,
    behind: line,
    isCutShort: optional(isTrue),
  },
  IS_OPEN,
);

const eventType = oneOf(WEBHOOK_EVENT_TYPES);
const sequence = wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER });
/** What the run itself has made, and the delivery only passes on. */
const passedOn = <T>(): Guard<T> => guardOf(() => undefined);

const webhookTarget = object<WebhookTarget>(
  {
    url: text({ min: 1, max: 2_048 }),
    secretName: text({ min: 1, max: 64 }),
    events: listOf(eventType, { max: WEBHOOK_EVENT_TYPES.length }),
  },
  IS_OPEN,
);
const webhookData = object<WebhookData>(
  {
    workflowId: id,
    runId: id,
    operation: passedOn(),
    account: name,
    sequence,
    resources: passedOn(),
    counts: optional(passedOn<NonNullable<WebhookData['counts']>>()),
    status: optional(passedOn<NonNullable<WebhookData['status']>>()),
  },
  IS_OPEN,
);
const webhookBody = object<WebhookBody>(
  { type: eventType, timestamp: isoTime, data: webhookData },
  IS_OPEN,
);
export const webhookOrder = object<WebhookOrder>(
  {
    event: object<WebhookEvent>({ id, body: webhookBody }, IS_OPEN),
    targets: listOf(webhookTarget, { max: 100 }),
  },
  IS_OPEN,
);
export const webhookGivenUp = object<WebhookGivenUp>(
  {
    runId: id,
    closed: optional(text({ min: 1, max: 3_000 })),
    undelivered: object<UndeliveredEvent>(
      {
        id,
        type: eventType,
        sequence,
        host: text({ max: 2_048 }),
        at: isoTime,
        reason: text({ max: 10_000 }),
      },
      IS_OPEN,
    ),
  },
  IS_OPEN,
);

/** Checked by its schema later, in an activity. JSON that is too deep could not even be sent there. */
const input: Guard<unknown> = {
  faults: (value, path) => shapeFaults(value).map(({ message }) => ({ path, message })),
};
const by = optional(text());

export const askedBy = optional(object<AskedBy>({ by }));
export const resumeRequest = optional(
  object<ResumeRequest & AskedBy>({
    input,
    ofMany: optional(isTrue),
    onlyBlocked: optional(isTrue),
    by,
  }),
);
export const abortRequest = optional(
  object<AbortRequest & AskedBy>({ reason: optional(text()), by }),
);
/** The duration itself is parsed where it is used. */
export const extendRequest = object<ExtendRequest & AskedBy>({ holdFor: text(), by });
export const joinRequest = optional(
  object<JoinRequest & AskedBy>({ holdFor: optional(text()), by }),
);
