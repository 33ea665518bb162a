import { condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';

import { isoOf } from '../../../contract/iso-of.js';
import { turnEndedSignal, turnTakenSignal, turnWantedSignal } from '../../../contract/messages.js';
import { signalRun } from './signal-run.js';

export interface HoldTurnInput {
  resource: string;
  /** Workflow Ids of the runs that are waiting already, in order. */
  waiters: string[];
  /** When the turn was taken, in ISO 8601; now when left out. */
  since?: string;
}

/** Maximum waiting runs that learn immediately who has the turn. The others learn it when they ask. */
const MAX_ANSWERED_AT_START = 20;

/**
 * The lock behind a turn; it is not an operation. While this child of a run is open, no other run can
 * start one with the same Workflow Id. It ends when its parent says so, and at the latest together with
 * its parent. Tells the runs that ask who has the turn, and returns the waiting runs in their order.
 */
export async function holdTurn({ resource, waiters, since }: HoldTurnInput): Promise<string[]> {
  const begun = since ?? isoOf(Date.now());
  const line = new Set(waiters);
  const asking = new Set(waiters.slice(0, MAX_ANSWERED_AT_START));
  const turn = { isOver: false };
  setHandler(turnEndedSignal, () => {
    turn.isOver = true;
  });
  setHandler(turnWantedSignal, ({ waiter, behind }) => {
    for (const workflowId of [waiter, ...behind]) line.add(workflowId);
    asking.add(waiter);
  });
  const holder = workflowInfo().parent?.workflowId ?? 'an unknown run';
  const answer = async (waiter: string) => {
    asking.delete(waiter);
    await signalRun(waiter, turnTakenSignal, { resource, holder, since: begun });
  };
  for (;;) {
    await condition(() => turn.isOver || asking.size > 0);
    if (turn.isOver) return [...line];
    if (workflowInfo().continueAsNewSuggested) {
      // The parent still waits for the same child, and runs that ask find it by its id.
      await continueAsNew<typeof holdTurn>({ resource, waiters: [...line], since: begun });
    }
    await Promise.all([...asking].map(answer));
  }
}
