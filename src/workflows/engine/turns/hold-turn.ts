import { condition, makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';

import { anything, turnEnd, turnWish } from '../../../contract/guards/message-guards.js';
import { isoOf } from '../../../contract/iso-of.js';
import {
  newVersionSignal,
  turnAskedSignal,
  turnEndedSignal,
  turnTakenSignal,
  turnWantedSignal,
} from '../../../contract/messages.js';
import type { FieldsOf } from '../../../contract/prepared/known-fields.js';
import { AT_CURRENT_VERSION, isNewerVersionCurrent } from '../run/newer-version.js';
import { refuseUnknownFields } from '../run/refuse-unknown-fields.js';
import { callNext } from './call-next.js';
import { onSignal } from '../run/on-message.js';
import { signalRun } from './signal-run.js';

export interface HoldTurnInput {
  resource: string;
  /** Workflow Ids of the runs that are waiting already, in order. */
  waiters: string[];
  /** When the turn was taken, in ISO 8601; now when left out. */
  since?: string;
  /**
   * The lock stays when its parent closes, because that may continue in a new history. Then the lock
   * itself calls the next run, and finds out whether its holder is still open.
   */
  outlives?: true;
}

const INPUT_FIELDS = {
  resource: true,
  waiters: true,
  since: true,
  outlives: true,
} as const satisfies FieldsOf<HoldTurnInput>;

/** Maximum waiting runs that learn immediately who has the turn. The others learn it when they ask. */
const MAX_ANSWERED_AT_START = 20;

/**
 * The lock behind a turn; it is not an operation. While this child of a run is open, no other run can
 * start one with the same Workflow Id. It ends when its parent says so, and at the latest together with
 * its parent, or, if it outlives that, when another run asks for the turn of a run that is gone. Tells
 * the runs that ask who has the turn, and returns the waiting runs in their order.
 */
export async function holdTurn(input: HoldTurnInput): Promise<string[]> {
  refuseUnknownFields('the input', input, INPUT_FIELDS);
  const { resource, waiters, since, outlives } = input;
  const begun = since ?? isoOf(Date.now());
  const holder = workflowInfo().parent?.workflowId ?? 'an unknown run';
  // The run may have been in line behind another one when it took the turn.
  const others = waiters.filter((waiter) => waiter !== holder);
  const line = new Set(others);
  const asking = new Set(others.slice(0, MAX_ANSWERED_AT_START));
  const turn = { isOver: false, keptUntil: 0 };
  const isOver = (): boolean => turn.isOver;
  onSignal(turnEndedSignal, turnEnd, (end) => {
    // Somebody may have ended the lock of that run by hand: this is another one.
    if (end.holder !== holder) return;
    turn.isOver = true;
    turn.keptUntil = end.keptUntil ?? 0;
  });
  onSignal(turnWantedSignal, turnWish, ({ waiter, behind }) => {
    line.add(waiter);
    for (const workflowId of behind) if (workflowId !== holder) line.add(workflowId);
    asking.add(waiter);
  });
  // A lock may sleep for weeks. The signal wakes it, and the wait itself looks whether there is one.
  onSignal(newVersionSignal, anything, () => undefined);
  const isGone = createCheck({ resource, holder, begun, isUsed: outlives === true });
  const answer = async (waiter: string) => {
    asking.delete(waiter);
    await signalRun(waiter, turnTakenSignal, { resource, holder, since: begun });
  };
  for (;;) {
    await condition(() => isOver() || asking.size > 0 || isNewerVersionCurrent());
    if (isOver()) {
      if (outlives !== true) return [...line];
      await untilKept(turn.keptUntil, asking, answer);
      return callAll(resource, line, {});
    }
    const isCutShort = asking.size > 0 && (await isGone(asking));
    if (isOver()) continue;
    if (isCutShort) return callAll(resource, line, { isCutShort });
    if (workflowInfo().continueAsNewSuggested || isNewerVersionCurrent()) {
      // The parent still waits for the same child, and runs that ask find it by its id.
      const continueAsNew = makeContinueAsNewFunc<typeof holdTurn>(AT_CURRENT_VERSION);
      await continueAsNew({ ...input, waiters: [...line], since: begun });
    }
    await Promise.all([...asking].map(answer));
  }
}

/**
 * Keeps the turn of a run that has ended, because one of its calls may still arrive. Runs that ask
 * learn meanwhile who has the turn.
 */
async function untilKept(
  keptUntil: number,
  asking: ReadonlySet<string>,
  answer: (waiter: string) => Promise<void>,
): Promise<void> {
  for (;;) {
    const leftMs = keptUntil - Date.now();
    if (leftMs <= 0) return;
    await Promise.all([...asking].map(answer));
    await condition(() => asking.size > 0, leftMs, {
      summary: 'a late call of the run that had it',
    });
  }
}

interface Held {
  resource: string;
  holder: string;
  begun: string;
  isUsed: boolean;
}

/** Asking costs the holder events, so the checks become rarer over time. */
const SHARE_OF_HELD = 0.02;
const CHECK_AT_LEAST_EVERY_MS = 3_600_000;

/** Makes the check whether the run that has the turn is gone: terminated, so that it could not say so. */
function createCheck({ resource, holder, begun, isUsed }: Held) {
  let nextAt = 0;
  return async (asking: ReadonlySet<string>): Promise<boolean> => {
    // A run never asks for a turn that it has: this is a later run of the same request.
    if (isUsed && asking.has(holder)) return true;
    const now = Date.now();
    if (!isUsed || now < nextAt) return false;
    const heldMs = now - Date.parse(begun);
    nextAt = now + Math.min(heldMs * SHARE_OF_HELD, CHECK_AT_LEAST_EVERY_MS);
    return !(await signalRun(holder, turnAskedSignal, { resource }));
  };
}

/** Calls the first run in line. A run that has come while another one was called gets its own call. */
async function callAll(
  resource: string,
  line: ReadonlySet<string>,
  end: { isCutShort?: true },
): Promise<string[]> {
  const called = new Set<string>();
  for (;;) {
    const next = [...line].filter((waiter) => !called.has(waiter));
    if (next.length === 0) return [];
    for (const waiter of next) called.add(waiter);
    await callNext(resource, next, { isClosing: true, ...end });
  }
}
