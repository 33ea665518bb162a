import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  condition,
  setHandler,
  startChild,
  TemporalFailure,
  workflowInfo,
  type ChildWorkflowHandle,
} from '@temporalio/workflow';

import {
  turnEndedSignal,
  turnFreeSignal,
  turnTakenSignal,
  turnWantedSignal,
} from '../../../contract/messages.js';
import { HOLD_TURN, turnIdFor } from '../../../contract/names.js';
import type { PollPolicy } from '../../../contract/run-policy.js';
import { Phase } from '../../../contract/status.js';
import type { holdTurn } from './hold-turn.js';
import type { Run, Turn, Turns, TurnWait } from '../run/run-types.js';
import { signalRun } from './signal-run.js';
import { createPause, type Pause } from '../wait/create-pause.js';
import { waitUntil } from '../wait/wait-until.js';

/**
 * Waits until it is this run's turn at `resource`, such as `kv-store/17`; what must not be written
 * by two runs at a time is written in a turn. The turn is this run's until the run has ended, its
 * rollback included, however it ends; taking it twice is taking it once. A run that needs turns at
 * several resources takes them in the order of their names, or two runs may wait for each other.
 *
 * The lock is a child workflow (`holdTurn`): its Workflow Id exists once. Who waits says in the
 * status whose turn it is and since when, and tries again at growing intervals; a signal of the one
 * whose turn has ended makes it try at once, in the order in which they came.
 */
export async function takeTurn(run: Run, resource: string): Promise<Turn> {
  const { held, waits } = run.turns;
  const own = held.get(resource);
  if (own !== undefined) return own;
  listen(run.turns);
  const wait: TurnWait = { isCalled: false, behind: [] };
  waits.set(resource, wait);
  try {
    const lock = await waitForTurn(run, resource, wait);
    // Free, and nobody said so: whoever had it was terminated.
    const isCutShort = wait.taken !== undefined && !wait.isCalled;
    const turn = createTurn(run, {
      resource,
      lock,
      cutShortAt: isCutShort ? Date.now() : undefined,
    });
    held.set(resource, turn);
    return turn;
  } catch (error) {
    // It may have been called in the moment in which it was told to end: then the next one goes.
    await CancellationScope.nonCancellable(() => callNext(resource, wait.behind));
    throw error;
  } finally {
    waits.delete(resource);
    run.ledger.setWaiting(undefined);
  }
}

type Lock = ChildWorkflowHandle<typeof holdTurn>;

async function waitForTurn(run: Run, resource: string, wait: TurnWait): Promise<Lock> {
  const poll = seldom(run.prepared.policy.poll);
  const pause = createPause(run, { name: `its turn at ${resource}`, poll });
  for (let tries = 1; ; tries++) {
    await standAside(run, resource, wait);
    const lock = await startLock(run, resource, wait.behind);
    if (lock !== undefined) return lock;
    wait.isCalled = false;
    // Nobody there any more: at once once more, but not again and again.
    if ((await joinLine(run, resource, wait)) || tries > 1) await untilCalled(wait, pause);
  }
}

/** A run that is paused takes no turn: the others would wait for whoever paused it. */
async function standAside(run: Run, resource: string, wait: TurnWait): Promise<void> {
  if (run.ledger.document().phase === Phase.paused) {
    await callNext(resource, wait.behind.splice(0));
  }
  await run.controls.clearance();
}

/** The look is for the case that whoever had the turn was terminated and could tell nobody. */
function seldom(poll: PollPolicy): PollPolicy {
  return { ...poll, maxMs: poll.maxMs * 5, shareOfElapsed: 0.2 };
}

/** `undefined` while another run has the turn. */
async function startLock(
  { prepared: { account } }: Run,
  resource: string,
  waiters: string[],
): Promise<Lock | undefined> {
  try {
    // Not cancelled with the run: a rollback needs the turn too.
    return await CancellationScope.nonCancellable(() =>
      startChild<typeof holdTurn>(HOLD_TURN, {
        workflowId: turnIdFor(account, resource),
        args: [{ resource, waiters }],
        parentClosePolicy: 'TERMINATE',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: `turn of ${workflowInfo().workflowId} at ${resource}`,
      }),
    );
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
    throw error;
  }
}

/** False when the one who had the turn has just ended. */
async function joinLine(run: Run, resource: string, wait: TurnWait): Promise<boolean> {
  const { behind } = wait;
  const waiter = workflowInfo().workflowId;
  const lock = turnIdFor(run.prepared.account, resource);
  const isTold = await signalRun(lock, turnWantedSignal, { waiter, behind });
  if (isTold) wait.behind = [];
  return isTold;
}

/** Until the turn is said to be free, or it is time to look. Says meanwhile who has it. */
async function untilCalled(wait: TurnWait, pause: Pause): Promise<void> {
  for (;;) {
    const { taken } = wait;
    const isTimeToLook = await CancellationScope.cancellable(async () => {
      const race = CancellationScope.current();
      const look = pause(taken && `held by ${taken.holder} since ${taken.since}`);
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
  setHandler(turnTakenSignal, (taken) => {
    const wait = waits.get(taken.resource);
    if (wait !== undefined) wait.taken = taken;
  });
  setHandler(turnFreeSignal, async ({ resource, behind }) => {
    const wait = waits.get(resource);
    // Called, but no longer waiting: the next one goes.
    if (wait === undefined) return callNext(resource, behind);
    wait.isCalled = true;
    wait.behind = behind;
  });
}

/** Tells the first that is still there; it brings the others along. */
async function callNext(resource: string, line: readonly string[]): Promise<void> {
  for (const [index, waiter] of line.entries()) {
    if (await signalRun(waiter, turnFreeSignal, { resource, behind: line.slice(index + 1) }))
      return;
  }
}

interface HeldLock {
  resource: string;
  lock: Lock;
  cutShortAt: number | undefined;
}

function createTurn(run: Run, { resource, lock, cutShortAt }: HeldLock): Turn {
  let kept = 0;
  return {
    cutShortAt,
    keepUntil: (time) => {
      kept = Math.max(kept, time);
    },
    async end() {
      if (!run.turns.held.delete(resource)) return;
      await CancellationScope.nonCancellable(async () => {
        await waitUntil(run, kept, 'a call whose answer was lost, as long as it may still arrive');
        await callNext(resource, (await endLock(lock)) ?? []);
      });
    },
  };
}

/** The lock ends with the run anyway; nothing must keep the run from ending. */
const END_WITHIN = '1 minute';

/** Who waits, in order; `undefined` when nobody can say: then they look from time to time. */
async function endLock(lock: Lock): Promise<string[] | undefined> {
  const answer: { hasCome: boolean; line?: string[] } = { hasCome: false };
  try {
    await lock.signal(turnEndedSignal);
  } catch (error) {
    // Somebody ended the lock by hand.
    if (error instanceof TemporalFailure) return undefined;
    throw error;
  }
  lock.result().then(
    (line) => Object.assign(answer, { hasCome: true, line }),
    () => Object.assign(answer, { hasCome: true }),
  );
  await condition(() => answer.hasCome, END_WITHIN);
  return answer.line;
}
