import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';

import type { createPrepareActivities } from '../../../../src/activities/prepare.js';
import { Operation } from '../../../../src/contract/names.js';
import { StepState } from '../../../../src/contract/status.js';
import { runOperation } from '../../../../src/workflows/engine/run/run.js';
import { takeTurn } from '../../../../src/workflows/engine/turns/turns.js';

export { holdTurn } from '../../../../src/workflows/engine/turns/hold-turn.js';

const { prepareListSshKeys } = proxyLocalActivities<ReturnType<typeof createPrepareActivities>>({
  startToCloseTimeout: '5 seconds',
});

export const goOnSignal = defineSignal('goOn');
export const undoSignal = defineSignal('undo');

export interface TurnTakerInput {
  account: string;
  resource: string;
  /** Keeps its turn until it is signalled `goOn`, instead of for no time. */
  waits?: boolean;
  /** Has something to undo, which takes until it is signalled `undo`. */
  undoes?: boolean;
  /** Gives the turn back before it waits. */
  endsEarly?: boolean;
  deadline?: string;
}

/** Whose turn it was, from when to when, in milliseconds since the epoch. */
export interface Taken {
  from: number;
  to: number;
}

/** Takes a turn, as an operation does, and says when it had it. */
export async function turnTaker(input: TurnTakerInput): Promise<Taken> {
  const { account, resource, waits, undoes, endsEarly, deadline } = input;
  const told = { goOn: false, undo: false };
  setHandler(goOnSignal, () => void (told.goOn = true));
  setHandler(undoSignal, () => void (told.undo = true));
  const prepare = () => prepareListSshKeys({ account, ...(deadline && { deadline }) });
  return runOperation(
    { operation: Operation.listSshKeys, steps: ['work'], input, prepare },
    async (run) => {
      const step = await run.begin('work');
      const turn = await takeTurn(run, resource);
      await takeTurn(run, resource);
      const from = Date.now();
      if (undoes === true) {
        const undo = () => condition(() => told.undo).then(() => undefined);
        run.onRollback(step, { undo, inventory: () => Promise.resolve([]) });
      }
      step.set(StepState.sending);
      if (endsEarly === true) await turn.end();
      if (waits === true) await condition(() => told.goOn);
      step.set(StepState.verified);
      return { from, to: Date.now() };
    },
  );
}
