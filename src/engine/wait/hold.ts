import { condition, sleep, type ApplicationFailure } from '@temporalio/workflow';

import { AskedFor } from '../core/identity.js';
import { FailureType } from '../core/failures.js';
import { anything, askedBy, extendRequest, joinRequest } from '../core/guards/message-guards.js';
import {
  extendUpdate,
  joinUpdate,
  newVersionSignal,
  restoreUpdate,
  type AskedBy,
} from '../core/messages.js';
import { isoOf, parseDuration } from '../core/times.js';
import { Phase, StepState } from '../core/status.js';
import type { StatusDocument } from '../schema/status-document.js';
import { isTimeToContinue } from '../run/continue-run-as-new.js';
import { refusedFailure } from '../run/controls.js';
import { failure } from '../run/failures.js';
import type { StepRecorder } from '../run/ledger.js';
import { onSignal, onUpdate } from '../run/on-message.js';
import type { Run } from '../run/run-types.js';

/** Milliseconds since the epoch. */
export interface HoldTimes {
  since: number;
  until: number;
}

interface Kept extends HoldTimes {
  /** A word for what it keeps, for the status. */
  holds: string;
  /** Goes on in a new history. Left out for a run that cannot. */
  continueLong?: ((timesNow: () => HoldTimes | undefined) => Promise<void>) | undefined;
}

/** A time during which a run keeps what it has reached. */
export interface Hold {
  /** The updates concern this run from now on. @param isToHold whether it holds something when it has come so far */
  follow(run: Run, isToHold: () => boolean): void;
  /** Resolves when the time is over, or on the update `restore`. */
  keep(run: Run, step: StepRecorder, kept: Kept): Promise<void>;
}

interface Held extends Kept {
  run: Run;
  step: StepRecorder;
  isOver: boolean;
  /** Updates accepted in this history. */
  updates: number;
}

/**
 * Answers the updates `extend`, `restore` and `join` from now on. What comes before the hold counts when that begins: a reset
 * brings again what was asked of the hold. Refuses the first two in a run that does not hold anything any more or
 * never will, and `join` from the end of the hold on, and when the run undoes its work.
 *
 * @param isContinued an earlier history of the run has begun to hold: an update may come with the very
 *   first event, a moment before this history holds.
 */
export function createHold(isContinued: boolean): Hold {
  const before = createAskedBefore();
  let held: Held | undefined;
  const isReady = (): boolean =>
    isContinued ? held !== undefined || before.isOver() : before.isFollowed();
  const refuseIdle = (): void => {
    const isHolding = held === undefined ? before.mayBegin() : !held.isOver;
    if (!isHolding) throw refusedFailure('The run holds nothing now.');
  };
  const answer = (act: () => StatusDocument): StatusDocument | Promise<StatusDocument> => {
    const answered = (): StatusDocument => {
      refuseIdle();
      return act();
    };
    return isReady() ? answered() : condition(isReady, READY_WITHIN).then(answered);
  };
  onUpdate(extendUpdate, extendRequest, {
    act: ({ holdFor, by }) =>
      answer(() => {
        const ms = toMs(holdFor);
        if (held !== undefined) return extend(held, ms, { by });
        before.askUntil(Date.now() + ms);
        return before.note(AskedFor.extend, by);
      }),
    refuse: ({ holdFor }) => {
      if (isReady()) refuseIdle();
      toMs(holdFor);
    },
  });
  onUpdate(restoreUpdate, askedBy, {
    act: (request) =>
      answer(() => {
        if (held !== undefined) return endAsAsked(held, request);
        before.end();
        return before.note(AskedFor.restore, request?.by);
      }),
    refuse: () => {
      if (isReady()) refuseIdle();
    },
  });
  answerJoins(before, () => held);
  // A hold may sleep for weeks. The signal wakes it, and the wait itself looks whether there is one.
  onSignal(newVersionSignal, anything, () => undefined);

  return {
    follow: before.follow,
    async keep(run, step, kept) {
      const until = Math.max(kept.until, before.askedUntil());
      const current: Held = { ...kept, run, step, until, isOver: before.isOver(), updates: 0 };
      held = current;
      show(current);
      try {
        await untilOver(current);
      } finally {
        held = undefined;
        before.end();
        run.ledger.setWaiting(undefined);
      }
      step.set(StepState.verified, { note: `ended at ${isoOf(Date.now())}` });
    },
  };
}

/** Only a run whose input is refused, or that is cancelled or paused in its first moment, is not ready by then. */
const READY_WITHIN = '10 seconds';

type AskedBefore = ReturnType<typeof createAskedBefore>;

function answerJoins(before: AskedBefore, heldNow: () => Held | undefined): void {
  onUpdate(joinUpdate, joinRequest, {
    act: (request) => {
      const { holdFor, by } = request ?? {};
      const ms = toJoinMs(holdFor);
      const held = heldNow();
      if (held === undefined) before.askUntil(Date.now() + ms);
      else extend(held, ms, Date.now() + ms > held.until ? { by } : undefined);
      return before.document();
    },
    refuse: (request) => {
      if (before.isEnding() || heldNow()?.isOver === true) throw endingFailure();
      toJoinMs(request?.holdFor);
    },
  });
}

function toJoinMs(holdFor: string | undefined): number {
  return holdFor === undefined ? 0 : toMs(holdFor);
}

/** What is asked for before anything is held, and until when a caller may still ask. */
function createAskedBefore() {
  let followed: { run: Run; isToHold: () => boolean } | undefined;
  let isOver = false;
  let until = 0;
  const isEnding = (): boolean => {
    const run = followed?.run;
    const isUndoing = run?.ledger.document().phase === Phase.rollingBack;
    return isOver || isUndoing || run?.controls.isEnding() === true;
  };
  return {
    follow: (run: Run, isToHold: () => boolean): void => {
      followed = { run, isToHold };
    },
    isFollowed: (): boolean => followed !== undefined,
    document: (): StatusDocument | undefined => followed?.run.ledger.document(),
    note: (what: AskedFor, by: unknown): StatusDocument => {
      if (followed === undefined)
        throw new TypeError('nothing is noted of a run that is not known');
      const { ledger } = followed.run;
      ledger.asked.note(what, by);
      return ledger.document();
    },
    end: (): void => {
      isOver = true;
    },
    isOver: (): boolean => isOver,
    askUntil: (time: number): void => {
      until = Math.max(until, time);
    },
    askedUntil: (): number => until,
    isEnding,
    mayBegin: (): boolean => followed?.isToHold() === true && !isEnding(),
  };
}

async function untilOver(held: Held): Promise<void> {
  while (!held.isOver && Date.now() < held.until) {
    if (isLong(held)) await continueInNewHistory(held);
    const { until } = held;
    const isNews = () => held.isOver || held.until !== until || isLong(held);
    await condition(isNews, until - Date.now(), { summary: `held until ${isoOf(until)}` });
  }
}

/** Temporal takes 2,000 updates in one history. */
const MAX_UPDATES = 500;

/** A paused run stays as it is until it is resumed. */
function isLong({ run, updates, continueLong }: Held): boolean {
  if (continueLong === undefined || run.ledger.document().phase === Phase.paused) return false;
  return updates >= (run.prepared.policy.mostUpdates ?? MAX_UPDATES) || isTimeToContinue(run);
}

const MAX_PAUSES = 10;

/**
 * When an event arrives during the workflow task that closes a history, Temporal rejects that task and
 * drops the updates that it answers. So the task that answers an update should not close it.
 */
async function continueInNewHistory(held: Held): Promise<void> {
  for (let pauses = 0; pauses < MAX_PAUSES; pauses++) {
    const { updates } = held;
    await sleep(1, { summary: 'the answers are stored' });
    if (held.updates === updates) break;
  }
  if (held.isOver) return;
  await held.continueLong?.(() =>
    held.isOver ? undefined : { since: held.since, until: held.until },
  );
}

/**
 * Never shortens: a repeated alert must not end what another one asked for.
 * @param asked who is named for it; nobody for a caller that joins and changes nothing
 */
function extend(held: Held, ms: number, asked?: { by: unknown }): StatusDocument {
  if (asked !== undefined) held.run.ledger.asked.note(AskedFor.extend, asked.by);
  held.until = Math.max(held.until, Date.now() + ms);
  held.updates += 1;
  show(held);
  return held.run.ledger.document();
}

function endAsAsked(held: Held, request: AskedBy | undefined): StatusDocument {
  held.run.ledger.asked.note(AskedFor.restore, request?.by);
  held.isOver = true;
  return held.run.ledger.document();
}

function show({ run, step, holds, since, until }: Held): void {
  const time = isoOf(until);
  step.set(StepState.waiting, { note: `until ${time}; "extend" and "restore" change that` });
  run.ledger.setWaiting({
    for: 'the end of the hold',
    holds,
    since: isoOf(since),
    nextCheckAt: time,
  });
}

function toMs(text: string): number {
  const parsed = parseDuration(text);
  if (parsed.ok) return parsed.ms;
  throw failure(FailureType.refused, `The time to hold ${parsed.message}.`, {
    advice: 'Give a duration.',
  });
}

function endingFailure(): ApplicationFailure {
  return failure(FailureType.refused, 'The run is restoring the earlier state.', {
    advice: 'Start another run when this one has ended.',
  });
}
