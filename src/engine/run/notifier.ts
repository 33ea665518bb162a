import {
  CancellationScope,
  TemporalFailure,
  condition,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';

import { webhookGivenUp } from '../core/guards/message-guards.js';
import { isoOf } from '../core/times.js';
import { webhookGivenUpSignal } from '../core/messages.js';
import { type ItemCounts, Phase, WebhookEventType } from '../core/status.js';
import type { PreparedRun } from '../core/prepared-run.js';
import type { StatusDocument } from '../schema/status-document.js';
import {
  keyOf,
  toUndelivered,
  type UndeliveredEvent,
  type WebhookOrder,
} from '../core/webhooks.js';
import { createHandOver } from './hand-over.js';
import type { EndPhase } from './fit-status.js';
import type { Ledger } from './ledger.js';
import { onSignal } from './on-message.js';
import { toWebhookBody, type WebhookFacts } from './webhook-body.js';

/**
 * Tells receivers about a run. It hands each event to `deliverWebhooks`, a child that outlives the run, so no
 * receiver holds up a result. Without receivers it does nothing, and costs nothing.
 */
export interface Notifier {
  /** Tells that the run is blocked, or goes on. */
  onStatus(status: StatusDocument): void;
  /** Tells that some items of a bulk run have failed. @param isEnd no more will follow */
  itemsFailed(counts: ItemCounts, isEnd?: boolean): void;
  /** The last event. Waits until all events are handed over, a minute at most. */
  tellEnd(phase: EndPhase): Promise<void>;
  /** Waits until all events are handed over, a minute at most. */
  settle(): Promise<void>;
  /** The memo of the next history; `undefined` when nothing has been told. */
  memo(): Record<string, unknown> | undefined;
}

/** The account of a run, and who is told about it. */
export type Receivers = Pick<PreparedRun, 'account' | 'notify'>;

export interface NotifierDeps {
  /** Who is told; `undefined` before the input was checked. */
  receivers: () => Receivers | undefined;
  ledger: Ledger;
  /** The end of a block is no news when the run ends. */
  isEnding: () => boolean;
}

const END_EVENT = {
  [Phase.succeeded]: WebhookEventType.runSucceeded,
  [Phase.failed]: WebhookEventType.runFailed,
  [Phase.cancelled]: WebhookEventType.runCancelled,
} as const;

export function createNotifier({ receivers, ledger, isEnding }: NotifierDeps): Notifier {
  const told = toldBefore();
  /** Any client may send the signal that names them, with any text. */
  const closed = (): string[] => {
    const known = new Set((receivers()?.notify ?? []).map(keyOf));
    return told.closed.filter((key) => known.has(key));
  };
  const outbox = createOutbox({ told, closed }, () => {
    const undelivered = told.undelivered.length > 0 && { undelivered: told.undelivered };
    ledger.setWebhooks({ told: told.events, ...undelivered });
  });
  let blockedAs: string | undefined;

  const tell = (type: WebhookEventType, facts: WebhookFacts = {}): void => {
    const { notify = [], account } = receivers() ?? { account: '' };
    const targets = notify.filter(({ events }) => events.includes(type));
    if (targets.length === 0) return;
    told.events += 1;
    const body = toWebhookBody(type, { account, sequence: told.events, ledger, facts });
    outbox.add({ event: { id: `msg_${uuid4()}`, body }, targets });
  };

  return {
    onStatus({ phase, blocked }) {
      // A pause ends no block. What has become of it is told after the pause.
      if (phase === Phase.paused) return;
      const type = blocked?.type;
      if (type === blockedAs) return;
      blockedAs = type;
      if (type !== undefined) tell(WebhookEventType.runBlocked);
      else if (!isEnding()) tell(WebhookEventType.runResumed);
    },
    itemsFailed(counts, isEnd = false) {
      const isNews = told.failedItems === 0 || isEnd;
      if (!isNews || counts.failed <= told.failedItems) return;
      told.failedItems = counts.failed;
      tell(WebhookEventType.itemsFailed, { counts });
    },
    async tellEnd(phase) {
      tell(END_EVENT[phase], { phase });
      await outbox.settle();
    },
    settle: outbox.settle,
    memo: () => {
      if (told.events === 0) return undefined;
      return { ...workflowInfo().memo, [MEMO]: { ...told, closed: closed() } };
    },
  };
}

/** What one history tells the next by its memo. */
interface Told {
  events: number;
  failedItems: number;
  undelivered: UndeliveredEvent[];
  /** Receivers that have answered 410. */
  closed: string[];
}

const MEMO = 'webhooks';

function toldBefore(): Told {
  const before: unknown = workflowInfo().memo?.[MEMO];
  return isTold(before) ? before : { events: 0, failedItems: 0, undelivered: [], closed: [] };
}

function isTold(before: unknown): before is Told {
  return (
    before instanceof Object && 'events' in before && 'undelivered' in before && 'closed' in before
  );
}

const HAND_OVER_MS = 60_000;
const MAX_NAMED = 20;

interface OutboxState {
  told: Told;
  /** The receivers of the run among those that were named as closed. */
  closed: () => readonly string[];
}

/** Hands orders over one after the other, and remembers what a receiver will never get. */
function createOutbox({ told, closed: closedNow }: OutboxState, onChange: () => void) {
  const open = new Set<WebhookOrder>();
  const handOver = createHandOver(told.events > 0, closedNow);
  let tail = Promise.resolve();

  const giveUp = (given: readonly UndeliveredEvent[]): void => {
    told.undelivered = [...told.undelivered, ...given].slice(-MAX_NAMED);
    onChange();
  };
  const handInTurn = async (order: WebhookOrder): Promise<void> => {
    try {
      await CancellationScope.nonCancellable(() => handOver(order));
    } catch (error) {
      if (!(error instanceof TemporalFailure)) throw error;
      giveUp(asUndelivered(order, `The run could not hand it over (${error.message}).`));
    } finally {
      open.delete(order);
    }
  };
  onSignal(webhookGivenUpSignal, webhookGivenUp, async ({ runId, undelivered, closed }) => {
    // A signal that came before this history is handled right here, where the run has no notifier yet.
    await Promise.resolve();
    if (runId !== workflowInfo().firstExecutionRunId) return;
    if (closed !== undefined && !told.closed.includes(closed)) told.closed.push(closed);
    giveUp([undelivered]);
  });

  return {
    add(order: WebhookOrder): void {
      open.add(order);
      tail = tail.then(() => handInTurn(order));
      onChange();
    },
    settle: async (): Promise<void> => {
      if (open.size === 0) return;
      await CancellationScope.nonCancellable(() => condition(() => open.size === 0, HAND_OVER_MS));
      const reason = 'The Temporal server did not take it within a minute.';
      if (open.size > 0) giveUp([...open].flatMap((order) => asUndelivered(order, reason)));
    },
  };
}

function asUndelivered({ event, targets }: WebhookOrder, reason: string): UndeliveredEvent[] {
  const at = isoOf(Date.now());
  return targets.map((target) => toUndelivered(event, target, { at, reason }));
}
