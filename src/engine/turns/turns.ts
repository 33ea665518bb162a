import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  condition,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';

import { latestOf } from '../core/times.js';
import { turnEndedSignal, turnWantedSignal } from '../core/messages.js';
import { HOLD_TURN, turnIdFor } from '../core/names.js';
import type { PollPolicy } from '../core/run-policy.js';
import { Phase } from '../core/status.js';
import type { holdTurn } from './hold-turn.js';
import type { HeldLock, Run, Turn, TurnWait } from '../run/run-types.js';
import { callNext } from '../run/hear-turns.js';
import { engineActivities } from '../run/engine-activities.js';
import { Delivery, signalRun } from '../run/signal-run.js';
import { lostCallsEndAt, waitOutLostCalls } from '../wait/wait-until.js';
import { createPause, type Pause } from '../wait/create-pause.js';

/**
 * Waits for this run's turn at `resource`, such as `kv-store/17`. A run writes in its turn what two
 * runs must not write at the same time. It keeps the turn until it has ended, its rollback included.
 * Taking the same turn twice has no further effect. A run that needs turns at several resources takes
 * them in the order of their names; otherwise two runs could wait for each other.
 *
 * The lock is a child workflow (`holdTurn`): its Workflow Id exists once. It outlives the run, which may
 * continue in a new history (`keepTurn`) or be reset. A waiting run says in its status who has the turn
 * and since when, and tries again at growing intervals. When a turn ends, the lock calls the next run in
 * line, which tries immediately.
 */
export async function takeTurn(run: Run, resource: string): Promise<Turn> {
  const taken = run.turns.held.get(resource);
  if (taken !== undefined) return taken;
  const { lock, isCutShort } = await waitInLine(run, resource);
  const turnId = turnIdFor(run.prepared.account, resource);
  // Asked in the turn, and whoever comes first: the run that was called may not be the one that gets in, and somebody
  // may have ended the lock by hand.
  const recorded = await CancellationScope.nonCancellable(() =>
    engineActivities.turnCutShortAt({ turnId, now: Date.now() }),
  );
  // A time from before that answer would be another one on replay.
  const cutShortAt = latestOf(isCutShort ? Date.now() : undefined, recorded);
  return keepTurn(run, resource, { lock, cutShortAt });
}

interface TakenLock extends Pick<HeldLock, 'lock'> {
  /** A run that had it before has ended without a word. */
  isCutShort: boolean;
}

async function waitInLine(
  run: Run,
  resource: string,
  again: Pick<TurnWait, 'mine' | 'giveWay'> = {},
): Promise<TakenLock> {
  const { waits } = run.turns;
  const wait: TurnWait = { isCalled: false, behind: [], ...again };
  waits.set(resource, wait);
  try {
    const lock = await waitForTurn(run, resource, wait);
    // The turn is free, but nobody said so: the run that had it was terminated.
    const isCutShort = wait.isCutShort === true || (wait.taken !== undefined && !wait.isCalled);
    return { lock, isCutShort };
  } catch (error) {
    // This run may have been called while it was told to end: pass the turn on.
    await CancellationScope.nonCancellable(() => callNext(resource, wait));
    throw error;
  } finally {
    waits.delete(resource);
    run.ledger.setWaiting(undefined);
  }
}

/** Goes on with a turn that this run has, also since an earlier history. */
export function keepTurn(run: Run, resource: string, lock: HeldLock): Turn {
  run.turns.locks.add(lock.lock);
  const turn = toTurn(run, resource, lock);
  run.turns.held.set(resource, turn);
  return turn;
}

/** A lock that has called this run closes within moments. */
const CLOSING_MS = 200;
const MAX_CLOSING_TRIES = 6;

/** Returns the first Run Id of the lock. */
async function waitForTurn(run: Run, resource: string, wait: TurnWait): Promise<string> {
  const poll = slowDown(run.prepared.policy.poll);
  const pause = createPause(run, { name: `its turn at ${resource}`, poll });
  for (let tries = 1; ; tries++) {
    await standAside(run, resource, wait);
    if (isStillMine(wait)) return wait.mine;
    const lock = await startLock(run, resource, wait);
    if (lock !== undefined) return lock;
    if (wait.closingTries !== undefined && wait.closingTries < MAX_CLOSING_TRIES) {
      await sleep(CLOSING_MS * 2 ** wait.closingTries++, { summary: 'the lock closes: next try' });
      continue;
    }
    wait.closingTries = undefined;
    wait.isCalled = false;
    // The lock has just ended: retry once immediately, then wait.
    if ((await joinLine(run, resource, wait)) !== Delivery.gone || tries > 1) {
      await untilCalled(wait, pause);
    }
  }
}

/** The lock that this run had before its reset says that it is still there. */
function isStillMine(wait: TurnWait): wait is TurnWait & { mine: string } {
  return wait.mine !== undefined && wait.taken?.lock === wait.mine;
}

/** A paused run takes no turn: the others would have to wait for the operator. */
async function standAside(run: Run, resource: string, wait: TurnWait): Promise<void> {
  if (run.ledger.document().phase === Phase.paused) {
    const { isCutShort } = wait;
    await callNext(resource, { behind: wait.behind.splice(0), isCutShort });
  }
  await run.controls.untilUnpaused();
}

/**
 * Normally a signal comes. The look is for a holder that was terminated and could not send it; with the answer of the lock,
 * it makes some 26 events.
 */
function slowDown(poll: PollPolicy): PollPolicy {
  return { ...poll, minMs: poll.minMs * 2.5, maxMs: poll.maxMs * 5, shareOfElapsed: 0.2 };
}

/** Starts the lock, and returns its first Run Id; `undefined` while another run has the turn. */
async function startLock(
  { prepared: { account }, turns: { locks } }: Run,
  resource: string,
  wait: TurnWait,
): Promise<string | undefined> {
  const { workflowId, firstExecutionRunId: runId } = workflowInfo();
  wait.isStarting = true;
  try {
    // Not cancelled with the run: a rollback needs the turn too.
    const { firstExecutionRunId: lock } = await CancellationScope.nonCancellable(() =>
      startChild<typeof holdTurn>(HOLD_TURN, {
        workflowId: turnIdFor(account, resource),
        args: [{ resource, holder: { workflowId, runId }, waiters: wait.behind }],
        parentClosePolicy: 'ABANDON',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: `turn of ${workflowId} at ${resource}`,
      }),
    );
    locks.add(lock);
    return lock;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  } finally {
    wait.isStarting = false;
  }
}

/** Asks for the turn. `gone`: its lock has just ended. */
async function joinLine(run: Run, resource: string, wait: TurnWait): Promise<Delivery> {
  const { behind } = wait;
  const waiter = workflowInfo().workflowId;
  const lock = turnIdFor(run.prepared.account, resource);
  const delivery = await signalRun(lock, turnWantedSignal, { waiter, behind });
  if (delivery === Delivery.delivered) wait.behind = [];
  return delivery;
}

/** Waits until a signal says that the turn is free, or it is time to look. The status says who has it. */
async function untilCalled(wait: TurnWait, pause: Pause): Promise<void> {
  for (;;) {
    const { taken } = wait;
    if (taken !== undefined && !isStillMine(wait)) await wait.giveWay?.();
    const isTimeToLook = await CancellationScope.cancellable(async () => {
      const race = CancellationScope.current();
      const look = pause(taken);
      const news = condition(() => wait.isCalled || wait.taken !== taken);
      try {
        return await Promise.race([look.then(() => true), news.then(() => false)]);
      } finally {
        race.cancel();
      }
    });
    if (isTimeToLook || wait.isCalled || isStillMine(wait)) return;
  }
}

function toTurn(run: Run, resource: string, first: HeldLock): Turn {
  let current = first;
  let { keptUntil = 0 } = first;
  /** The lock has been told to end. */
  let isGivenBack = false;
  const giveBack = async (): Promise<void> => {
    if (isGivenBack) return;
    isGivenBack = true;
    const end = { lock: current.lock, ...(keptUntil > Date.now() && { keptUntil }) };
    const workflowId = turnIdFor(run.prepared.account, resource);
    await CancellationScope.nonCancellable(() => signalRun(workflowId, turnEndedSignal, end));
  };
  return {
    get lock() {
      return current.lock;
    },
    get cutShortAt() {
      return current.cutShortAt;
    },
    get keptUntil() {
      return keptUntil > 0 ? keptUntil : undefined;
    },
    keepUntil: (time) => {
      keptUntil = Math.max(keptUntil, time);
    },
    async lend() {
      keptUntil = Math.max(keptUntil, lostCallsEndAt(run, Date.now()));
      await giveBack();
    },
    async retake(giveWay) {
      const mine = isGivenBack ? undefined : current.lock;
      const { lock } = await waitInLine(run, resource, { mine, giveWay });
      current = { lock, cutShortAt: Date.now() };
      isGivenBack = false;
      await waitOutLostCalls(run, current.cutShortAt, 'late calls from before the reset');
    },
    async end() {
      if (run.turns.held.delete(resource)) await giveBack();
    },
  };
}
