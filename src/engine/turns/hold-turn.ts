import {
  ApplicationFailure,
  condition,
  makeContinueAsNewFunc,
  workflowInfo,
} from '@temporalio/workflow';

import { anything, turnEnd, turnWish } from '../core/guards/message-guards.js';
import { isoOf } from '../core/times.js';
import {
  newVersionSignal,
  turnAskedSignal,
  turnEndedSignal,
  turnTakenSignal,
  turnWantedSignal,
  type RunRef,
} from '../core/messages.js';
import type { FieldsOf } from '../core/prepared-run.js';
import { AT_CURRENT_VERSION, isNewerVersionCurrent } from '../run/continue-run-as-new.js';
import { refuseUnknownFields } from '../run/refuse-unknown-fields.js';
import { callNext } from '../run/hear-turns.js';
import { onSignal } from '../run/on-message.js';
import {
  beginLock,
  hearEnd,
  hearWish,
  nextStep,
  noteAnswered,
  noteAsking,
  noteGone,
  noteHeard,
  type LockState,
} from './lock-state.js';
import { Delivery, signalRun } from '../run/signal-run.js';

export interface HoldTurnInput {
  resource: string;
  /** The run that has the turn. */
  holder: RunRef;
  /** Workflow Ids of the runs that are waiting already, in order. */
  waiters: string[];
  /** When the turn was taken, in ISO 8601; now when left out. */
  since?: string;
  /** A run that waits has the Workflow Id of the holder, and no answer yet. */
  isDoubted?: true;
}

const INPUT_FIELDS = {
  resource: true,
  holder: true,
  waiters: true,
  since: true,
  isDoubted: true,
} as const satisfies FieldsOf<HoldTurnInput>;

/**
 * The lock behind a turn; it is not an operation. While this child of a run is open, no other run can
 * start one with the same Workflow Id. It outlives its parent, which may continue in a new history or be
 * reset, and ends when its holder says so. Tells the runs that ask who has the turn, asks the holder then
 * whether it still has it, and calls the next run when it has not.
 */
export async function holdTurn(input: HoldTurnInput): Promise<void> {
  refuseUnknownFields('the input', input, INPUT_FIELDS);
  const { resource, holder } = input;
  const { workflowId, firstExecutionRunId: runId } = workflowInfo();
  const since = input.since ?? isoOf(Date.now());
  let state = beginLock({ ...input, lock: runId, since: Date.parse(since) });
  const now = (): LockState => state;
  const askHolder = async (): Promise<void> => {
    const question = { resource, lock: { workflowId, runId } };
    const delivery = await signalRun(holder.workflowId, turnAskedSignal, question);
    state = delivery === Delivery.gone ? noteGone(state) : noteHeard(state, Date.now());
  };
  onSignal(turnEndedSignal, turnEnd, (end) => {
    state = hearEnd(state, end);
  });
  onSignal(turnWantedSignal, turnWish, (wish) => {
    state = hearWish(state, wish);
  });
  // A lock may sleep for weeks. The signal wakes it, and the wait itself looks whether there is one.
  onSignal(newVersionSignal, anything, () => undefined);
  for (;;) {
    const step = nextStep(state, Date.now());
    if (step.kind === 'close') {
      await callAll(resource, now, step.isCutShort);
      if (step.isCutShort) throw lostItsRun(state.holder);
      return;
    }
    if (state.end === undefined && isTimeToContinue()) {
      const continueAsNew = makeContinueAsNewFunc<typeof holdTurn>(AT_CURRENT_VERSION);
      await continueAsNew(nextInput(input, state));
    }
    // A run that is just ending takes seconds to take a signal: nothing waits for that.
    if (step.kind === 'ask') {
      state = noteAsking(state);
      void askHolder();
    } else if (step.kind === 'answer') {
      state = noteAnswered(state, step.waiters);
      const taken = { resource, lock: runId, holder: holder.workflowId, since };
      for (const waiter of step.waiters) void signalRun(waiter, turnTakenSignal, taken);
    } else await untilNews(now, step.kind === 'keep' ? step.ms : undefined);
  }
}

function nextInput({ resource, holder }: HoldTurnInput, state: LockState): HoldTurnInput {
  const isDoubted = state.unanswered.includes(holder.workflowId);
  const since = isoOf(state.since);
  return { resource, holder, waiters: [...state.line], since, ...(isDoubted && { isDoubted }) };
}

/** The next run that takes the turn asks how this lock has ended. It may not be the one that was called. */
function lostItsRun({ workflowId }: RunRef): Error {
  return ApplicationFailure.create({
    type: 'TurnCutShort',
    nonRetryable: true,
    message: `Run "${workflowId}" ended without giving its turn back: one of its calls may still arrive`,
  });
}

function isTimeToContinue(): boolean {
  return workflowInfo().continueAsNewSuggested || isNewerVersionCurrent();
}

async function untilNews(now: () => LockState, keptMs: number | undefined): Promise<void> {
  const isAsked = (): boolean => now().unanswered.length > 0;
  if (keptMs !== undefined) {
    await condition(isAsked, keptMs, { summary: 'a late call of the run that had it' });
    return;
  }
  await condition(() => isAsked() || now().end !== undefined || isNewerVersionCurrent());
}

/** Calls the first run in line. A run that has come while another one was called gets its own call. */
async function callAll(resource: string, now: () => LockState, isCutShort: boolean): Promise<void> {
  const called = new Set<string>();
  for (;;) {
    const next = now().line.filter((waiter) => !called.has(waiter));
    if (next.length === 0) return;
    for (const waiter of next) called.add(waiter);
    await callNext(resource, { behind: next, ...(isCutShort && { isCutShort }) });
  }
}
