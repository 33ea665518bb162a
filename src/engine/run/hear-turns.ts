import { workflowInfo, CancellationScope, condition } from '@temporalio/workflow';

import { turnFree, turnQuestion, turnTaken } from '../core/guards/message-guards.js';
import { runIdOf } from '../core/identity.js';
import {
  turnFreeSignal,
  turnAskedSignal,
  turnEndedSignal,
  turnTakenSignal,
  type TurnFree,
} from '../core/messages.js';
import type { PreparedRun } from '../core/prepared-run.js';
import { onSignal } from './on-message.js';
import type { Run, Turns } from './run-types.js';
import { Delivery, signalRun } from './signal-run.js';

/** Calls the first run that is still open. It knows the others behind it. */
export async function callNext(
  resource: string,
  { behind: line, isCutShort }: Omit<TurnFree, 'resource'>,
): Promise<void> {
  for (const [index, waiter] of line.entries()) {
    const behind = line.slice(index + 1);
    const free = { resource, behind, ...(isCutShort && { isCutShort }) };
    if ((await signalRun(waiter, turnFreeSignal, free)) === Delivery.delivered) return;
  }
}

/**
 * The run that asks for a change, as far as its events say: they keep its Run Id through a reset, so the activity
 * sees that it works for a reset run, and refuses.
 *
 * @param prepared as the history has begun: a corrected input is prepared by the reset run
 */
export function writerOf({ writer }: Turns, prepared: PreparedRun): string {
  if (writer !== undefined) return writer;
  return 'maker' in prepared && typeof prepared.maker === 'string'
    ? runIdOf(prepared.maker)
    : workflowInfo().originalExecutionRunId;
}

/**
 * Whether the run was reset and has not made sure of its turns since. Only for the end of a history: a copied event
 * cannot come after that, so the run may ask who it is.
 */
export function mayHaveLostTurns({ turns: { doubted, writer } }: Pick<Run, 'turns'>): boolean {
  const { runId, originalExecutionRunId } = workflowInfo();
  return doubted.size > 0 || (writer ?? originalExecutionRunId) !== runId;
}

/** An activity says that the run was reset: the run before may have given its turns back since. */
export function doubtTurns(turns: Turns, resetTo: string): void {
  turns.writer = resetTo;
  for (const resource of turns.held.keys()) turns.doubted.add(resource);
}

/**
 * Gets the turns again that are in doubt: what was read in them may be old. Before the reset the run may have given back an
 * earlier one alone. The run that has it now may wait for a later one, which this run has still: so this run lends it the
 * later ones while it waits.
 */
export async function confirmTurns({ turns: { held, doubted } }: Pick<Run, 'turns'>) {
  for (const resource of [...doubted].sort()) {
    const giveWay = async (): Promise<void> => {
      const later = [...doubted].filter((other) => other > resource).sort();
      for (const other of later) await held.get(other)?.lend();
    };
    await held.get(resource)?.retake(giveWay);
    doubted.delete(resource);
  }
}

/** Gives back all turns of a run that has ended. */
export async function endTurns({ held }: Turns): Promise<void> {
  await Promise.all([...held.values()].map((turn) => turn.end()));
}

/**
 * Hears what locks and other runs say about turns. Every run does from its start: a lock may ask it about
 * the turn of an earlier run of the same Workflow Id. A run that is cancelled still answers: it rolls back
 * in its turn.
 */
export function hearTurns({ waits, locks }: Turns): void {
  onSignal(turnTakenSignal, turnTaken, (taken) => {
    const wait = waits.get(taken.resource);
    if (wait !== undefined) wait.taken = taken;
  });
  onSignal(turnAskedSignal, turnQuestion, ({ resource, lock }) =>
    CancellationScope.nonCancellable(async () => {
      // The lock may ask before this run knows that it has started it.
      await condition(() => waits.get(resource)?.isStarting !== true);
      if (locks.has(lock.runId)) return;
      const end = { lock: lock.runId, isCutShort: true } as const;
      await signalRun(lock.workflowId, turnEndedSignal, end);
    }),
  );
  onSignal(turnFreeSignal, turnFree, async ({ resource, behind, isCutShort }) => {
    const wait = waits.get(resource);
    if (wait === undefined) {
      // This run no longer waits: pass the turn on.
      await CancellationScope.nonCancellable(() => callNext(resource, { behind, isCutShort }));
      return;
    }
    Object.assign(wait, { behind, isCalled: true, closingTries: 0 });
    // Another run may get in first, without knowing of those calls.
    wait.isCutShort = wait.isCutShort === true || isCutShort;
  });
}
