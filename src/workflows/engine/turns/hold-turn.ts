import { condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow';

import { isoOf } from '../../../contract/iso-of.js';
import { turnEndedSignal, turnTakenSignal, turnWantedSignal } from '../../../contract/messages.js';
import { signalRun } from './signal-run.js';

export interface HeldTurn {
  resource: string;
  /** Workflow Ids of the runs that wait already, in order. */
  waiters: string[];
  /** Since when the turn is taken, ISO 8601, if not from now on. */
  since?: string;
}

/** So many of those that wait already learn at once who comes first; the others when they look. */
const TOLD_AT_ONCE = 20;

/**
 * The lock behind a turn, not an operation: while this child of a run is open, no other run can
 * start one of the same Workflow Id. It ends when its parent says so, and at the latest with its
 * parent. Tells those that ask who has the turn, and returns in which order they wait.
 */
export async function holdTurn({ resource, waiters, since }: HeldTurn): Promise<string[]> {
  const begun = since ?? isoOf(Date.now());
  const line = new Set(waiters);
  const asking = new Set(waiters.slice(0, TOLD_AT_ONCE));
  const turn = { isOver: false };
  setHandler(turnEndedSignal, () => {
    turn.isOver = true;
  });
  setHandler(turnWantedSignal, ({ waiter, behind }) => {
    for (const workflowId of [waiter, ...behind]) line.add(workflowId);
    asking.add(waiter);
  });
  const holder = workflowInfo().parent?.workflowId ?? 'a run that is not known';
  const answer = async (waiter: string) => {
    asking.delete(waiter);
    await signalRun(waiter, turnTakenSignal, { resource, holder, since: begun });
  };
  for (;;) {
    await condition(() => turn.isOver || asking.size > 0);
    if (turn.isOver) return [...line];
    if (workflowInfo().continueAsNewSuggested) {
      // The parent goes on waiting for the same child, and those who ask find it by its id.
      await continueAsNew<typeof holdTurn>({ resource, waiters: [...line], since: begun });
    }
    await Promise.all([...asking].map(answer));
  }
}
