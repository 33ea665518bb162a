import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  condition,
  sleep,
  startChild,
  TemporalFailure,
  workflowInfo,
  type ChildWorkflowHandle,
} from '@temporalio/workflow';

import { turnAsked, turnFree, turnTaken } from '../../../contract/guards/message-guards.js';
import {
  turnAskedSignal,
  turnEndedSignal,
  turnFreeSignal,
  turnTakenSignal,
  turnWantedSignal,
} from '../../../contract/messages.js';
import { heldBy, HOLD_TURN, turnIdFor } from '../../../contract/names.js';
import type { PollPolicy } from '../../../contract/run-policy.js';
import { Phase } from '../../../contract/status.js';
import type { holdTurn } from './hold-turn.js';
import { onSignal } from '../run/on-message.js';
import type { Run, Turn, Turns, TurnWait } from '../run/run-types.js';
import { callNext } from './call-next.js';
import { signalRun } from './signal-run.js';
import { createPause, type Pause } from '../wait/create-pause.js';
import { waitUntil } from '../wait/wait-until.js';

/**
 * Waits for this run's turn at `resource`, such as `kv-store/17`. A run writes in its turn what two
 * runs must not write at the same time. It keeps the turn until it has ended, its rollback included.
 * Taking the same turn twice has no further effect. A run that needs turns at several resources takes
 * them in the order of their names; otherwise two runs could wait for each other.
 *
 * The lock is a child workflow (`holdTurn`): its Workflow Id exists once. A waiting run says in its
 * status who has the turn and since when, and tries again at growing intervals. When a turn ends, a
 * signal makes the next run in line try immediately.
 *
 * @param outlives for a run that may continue in a new history, which counts as its end for a child: the
 *   lock stays, and the new history takes it over (`keepTurn`).
 */
export async function takeTurn(
  run: Run,
  resource: string,
  { outlives = false }: { outlives?: boolean } = {},
): Promise<Turn> {
  const { held, waits } = run.turns;
  const taken = held.get(resource);
  if (taken !== undefined) return taken;
  listen(run.turns);
  const wait: TurnWait = { isCalled: false, behind: [] };
  waits.set(resource, wait);
  try {
    const lock = await waitForTurn(run, { resource, outlives }, wait);
    // The turn is free, but nobody said so: the run that had it was terminated.
    const isCutShort = wait.isCutShort === true || (wait.taken !== undefined && !wait.isCalled);
    const cutShortAt = isCutShort ? Date.now() : undefined;
    const turn = toTurn(run, { resource, lock: outlives ? undefined : lock, cutShortAt });
    held.set(resource, turn);
    return turn;
  } catch (error) {
    // This run may have been called while it was told to end: pass the turn on.
    await CancellationScope.nonCancellable(() => callNext(resource, wait.behind));
    throw error;
  } finally {
    waits.delete(resource);
    run.ledger.setWaiting(undefined);
  }
}

/** Goes on with a turn that the same run has taken in an earlier history. */
export function keepTurn(run: Run, resource: string, cutShortAt: number | undefined): void {
  listen(run.turns);
  run.turns.held.set(resource, toTurn(run, { resource, lock: undefined, cutShortAt }));
}

type Lock = ChildWorkflowHandle<typeof holdTurn>;

/** A lock that has called this run closes within moments. */
const CLOSING_MS = 200;
const MAX_CLOSING_TRIES = 6;

interface WantedTurn {
  resource: string;
  outlives: boolean;
}

async function waitForTurn(run: Run, wanted: WantedTurn, wait: TurnWait): Promise<Lock> {
  const { resource } = wanted;
  const poll = slowDown(run.prepared.policy.poll);
  const pause = createPause(run, { name: `its turn at ${resource}`, poll });
  for (let tries = 1; ; tries++) {
    await standAside(run, resource, wait);
    const lock = await startLock(run, wanted, wait.behind);
    if (lock !== undefined) return lock;
    if (wait.closingTries !== undefined && wait.closingTries < MAX_CLOSING_TRIES) {
      await sleep(CLOSING_MS * 2 ** wait.closingTries++, { summary: 'the lock closes: next try' });
      continue;
    }
    wait.closingTries = undefined;
    wait.isCalled = false;
    // The lock has just ended: retry once immediately, then wait.
    if ((await joinLine(run, resource, wait)) || tries > 1) await untilCalled(wait, pause);
  }
}

/** A paused run takes no turn: the others would have to wait for the operator. */
async function standAside(run: Run, resource: string, wait: TurnWait): Promise<void> {
  if (run.ledger.document().phase === Phase.paused) {
    await callNext(resource, wait.behind.splice(0));
  }
  await run.controls.untilUnpaused();
}

/** Normally a signal comes. The look is for a holder that was terminated and could not send it. */
function slowDown(poll: PollPolicy): PollPolicy {
  return { ...poll, maxMs: poll.maxMs * 5, shareOfElapsed: 0.2 };
}

/** Starts the lock; `undefined` while another run has the turn. */
async function startLock(
  { prepared: { account } }: Run,
  { resource, outlives }: WantedTurn,
  waiters: string[],
): Promise<Lock | undefined> {
  try {
    // Not cancelled with the run: a rollback needs the turn too.
    return await CancellationScope.nonCancellable(() =>
      startChild<typeof holdTurn>(HOLD_TURN, {
        workflowId: turnIdFor(account, resource),
        args: [{ resource, waiters, ...(outlives && { outlives }) }],
        parentClosePolicy: outlives ? 'ABANDON' : 'TERMINATE',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: `turn of ${workflowInfo().workflowId} at ${resource}`,
      }),
    );
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
}

/** Asks for the turn. Returns false when its holder has just ended. */
async function joinLine(run: Run, resource: string, wait: TurnWait): Promise<boolean> {
  const { behind } = wait;
  const waiter = workflowInfo().workflowId;
  const lock = turnIdFor(run.prepared.account, resource);
  const isDelivered = await signalRun(lock, turnWantedSignal, { waiter, behind });
  if (isDelivered) wait.behind = [];
  return isDelivered;
}

/** Waits until a signal says that the turn is free, or it is time to look. The status says who has it. */
async function untilCalled(wait: TurnWait, pause: Pause): Promise<void> {
  for (;;) {
    const { taken } = wait;
    const isTimeToLook = await CancellationScope.cancellable(async () => {
      const race = CancellationScope.current();
      const look = pause(taken && heldBy(taken));
      const news = condition(() => wait.isCalled || wait.taken !== taken);
      try {
        return await Promise.race([look.then(() => true), news.then(() => false)]);
      } finally {
        race.cancel();
      }
    });
    if (isTimeToLook || wait.isCalled) return;
  }
}

function listen({ waits }: Turns): void {
  onSignal(turnTakenSignal, turnTaken, (taken) => {
    const wait = waits.get(taken.resource);
    if (wait === undefined) return;
    // The run that was cut short is not the last one any more.
    if (wait.taken?.holder !== taken.holder) wait.isCutShort = undefined;
    wait.taken = taken;
  });
  onSignal(turnAskedSignal, turnAsked, () => undefined); // Its delivery is the answer.
  onSignal(turnFreeSignal, turnFree, async ({ resource, behind, isClosing, isCutShort }) => {
    const wait = waits.get(resource);
    // This run no longer waits: pass the turn on.
    if (wait === undefined) return callNext(resource, behind);
    wait.isCalled = true;
    wait.behind = behind;
    wait.isCutShort = isCutShort;
    wait.closingTries = isClosing === true ? 0 : undefined;
  });
}

interface HeldLock {
  resource: string;
  /** Left out for a lock that outlives the run. */
  lock: Lock | undefined;
  cutShortAt: number | undefined;
}

function toTurn(run: Run, { resource, lock, cutShortAt }: HeldLock): Turn {
  let kept = 0;
  return {
    cutShortAt,
    keepUntil: (time) => {
      kept = Math.max(kept, time);
    },
    async end() {
      if (!run.turns.held.delete(resource)) return;
      await CancellationScope.nonCancellable(async () => {
        if (lock === undefined && run.prepared.evidence === true) {
          await endOutliving(run, resource, kept);
          return;
        }
        await waitUntil(run, kept, 'a late call whose answer was lost');
        if (lock === undefined) await endOutliving(run, resource, 0);
        else await callNext(resource, (await endLock(lock)) ?? []);
      });
    },
  };
}

/** This lock calls the next run itself, after `keptUntil`. Somebody may have ended it by hand. */
async function endOutliving({ prepared }: Run, resource: string, keptUntil: number): Promise<void> {
  const end = {
    holder: workflowInfo().workflowId,
    ...(keptUntil > Date.now() && { keptUntil }),
  };
  await signalRun(turnIdFor(prepared.account, resource), turnEndedSignal, end);
}

/** The lock ends with the run anyway, so the run does not wait longer. */
const MAX_WAIT_FOR_LOCK_END = '1 minute';

/** Returns the waiting runs in order; `undefined` when unknown: they look from time to time. */
async function endLock(lock: Lock): Promise<string[] | undefined> {
  const answer: { hasCome: boolean; line?: string[] } = { hasCome: false };
  try {
    await lock.signal(turnEndedSignal, { holder: workflowInfo().workflowId });
  } catch (error) {
    // Somebody ended the lock by hand.
    if (error instanceof TemporalFailure) return undefined;
    throw error;
  }
  lock.result().then(
    (line) => Object.assign(answer, { hasCome: true, line }),
    () => Object.assign(answer, { hasCome: true }),
  );
  await condition(() => answer.hasCome, MAX_WAIT_FOR_LOCK_END);
  return answer.line;
}
