import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';

import type { createPrepareActivities } from '../../../../src/activities/prepare.js';
import { Operation } from '../../../../src/contract/wire/names.js';
import { StepState } from '../../../../src/engine/core/status.js';
import { runOperation } from '../../../../src/workflows/gcore.js';
import { takeTurn } from '../../../../src/engine/turns/turns.js';

export { holdTurn } from '../../../../src/engine/turns/hold-turn.js';

const { prepareListSshKeys } = proxyLocalActivities<ReturnType<typeof createPrepareActivities>>({
  startToCloseTimeout: '5 seconds',
});

export const goOnSignal = defineSignal('goOn');
export const undoSignal = defineSignal('undo');

export interface TurnTakerInput {
  account: string;
  resource: string;
  /** Keeps its turn until the signal `goOn`. */
  waits?: boolean;
  /** Has something to undo. The undoing lasts until the signal `undo`. */
  undoes?: boolean;
  /** Gives the turn back before it waits. */
  endsEarly?: boolean;
  deadline?: string;
}

/** Start and end of a run's turn, in milliseconds since the epoch. */
export interface Taken {
  from: number;
  to: number;
  /** A late call of the run that had it before may still arrive. */
  isCutShort: boolean;
}

/** Takes a turn like an operation does, and returns when it had the turn. */
export async function turnTaker(input: TurnTakerInput): Promise<Taken> {
  const { account, resource, waits, undoes, endsEarly, deadline } = input;
  const received = { goOn: false, undo: false };
  setHandler(goOnSignal, () => void (received.goOn = true));
  setHandler(undoSignal, () => void (received.undo = true));
  const prepare = () => prepareListSshKeys({ account, ...(deadline && { deadline }) });
  return runOperation(
    { operation: Operation.listSshKeys, steps: ['work'], input, prepare },
    async (run) => {
      const step = await run.begin('work');
      const turn = await takeTurn(run, resource);
      await takeTurn(run, resource);
      const from = Date.now();
      if (undoes === true) {
        const undo = () => condition(() => received.undo).then(() => undefined);
        run.onRollback(step, { undo, inventory: () => Promise.resolve([]) });
      }
      step.set(StepState.sending);
      if (endsEarly === true) await turn.end();
      if (waits === true) await condition(() => received.goOn);
      step.set(StepState.verified);
      return { from, to: Date.now(), isCutShort: turn.cutShortAt !== undefined };
    },
  );
}
