import { CancellationScope, condition } from '@temporalio/workflow';

import { turnFree, turnQuestion, turnTaken } from '../core/guards/message-guards.js';
import {
  turnAskedSignal,
  turnEndedSignal,
  turnFreeSignal,
  turnTakenSignal,
} from '../core/messages.js';
import type { Turns } from './run-types.js';
import { callNext } from './call-next.js';
import { signalRun } from './signal-run.js';
import { onSignal } from './on-message.js';

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
