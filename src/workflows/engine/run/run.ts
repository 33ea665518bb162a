import {
  CancellationScope,
  CancelledFailure,
  TemporalFailure,
  allHandlersFinished,
  condition,
  isCancellation,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';

import type { PreparedRun } from '../../../contract/prepared/prepared-run.js';
import { statusQuery } from '../../../contract/messages.js';
import { Phase } from '../../../contract/status.js';
import { apiOf } from './api.js';
import { parkWhileBlocked } from './park-while-blocked.js';
import { controlRun, deadlineIso, type OperationRun, type State } from './control-run.js';
import type { Controls } from './controls.js';
import { toMarkdown } from './current-details.js';
import { toRunFailure } from './failures.js';
import { createLedger, type Ledger } from './ledger.js';
import { publish } from './publish.js';
import { refusePlan } from './refuse-plan.js';
import { reasonToKeep, register, unwind, type Registered } from './rollback.js';
import type { Run, Turns } from './run-types.js';

/**
 * Runs a workflow body with all that every operation has in common: the status query, the updates
 * `pause`, `resume` and `abort`, the deadline, the current details of the Temporal UI, search
 * attributes, rollback, one failure with its details.
 */
export async function runOperation<P extends PreparedRun, I, R>(
  operated: OperationRun<P, I>,
  body: (run: Run<P, I>) => Promise<R>,
): Promise<R> {
  const state: State<P, I> = { input: operated.input, prepared: undefined };
  const ledger = createPublishedLedger(operated, state);
  setHandler(statusQuery, () => ledger.document());
  const scope = new CancellationScope();
  const controls = controlRun(operated, { state, ledger, scope });
  const parts: Parts<P, I> = {
    state,
    ledger,
    controls,
    rollbacks: [],
    turns: { held: new Map(), waits: new Map() },
  };
  try {
    state.prepared = await operated.prepare(operated.input);
    refusePlan(state.prepared, operated);
    publish(state.prepared, ledger);
    const run = createRun(state.prepared, parts);
    const result = await scope.run(() => body(run));
    // Asked to end in the same moment as the last answer came: the word came in time, so it counts.
    if (scope.consideredCancelled) throw new CancelledFailure('cancelled at the very end');
    await finish(Phase.succeeded, parts);
    return result;
  } catch (thrown) {
    const error = isCancellation(thrown) ? (controls.ending() ?? thrown) : thrown;
    // Anything else is a defect of the code: the task is retried until a fixed worker takes it.
    if (!(error instanceof TemporalFailure)) throw error;
    // Asked now: a rollback goes back through the steps.
    const step = ledger.currentStep();
    await CancellationScope.nonCancellable(() => fail(error, parts));
    if (isCancellation(error)) throw error;
    throw toRunFailure(error, { operation: operated.operation, step, ledger });
  }
}

interface Parts<P, I> {
  state: State<P, I>;
  ledger: Ledger;
  controls: Controls;
  rollbacks: Registered[];
  turns: Turns;
}

/** Shows the ledger in the Temporal UI; what holds a run up can be searched for too. */
function createPublishedLedger<P extends PreparedRun, I>(
  operated: OperationRun<P, I>,
  state: State<P, I>,
): Ledger {
  let held: Phase | undefined;
  const ledger = createLedger(operated, (status) => {
    setCurrentDetails(toMarkdown(status));
    const { phase } = status;
    const holds = phase === Phase.blocked || phase === Phase.paused ? phase : undefined;
    if (holds === held) return;
    held = holds;
    publish(state.prepared, ledger);
  });
  return ledger;
}

function createRun<P extends PreparedRun, I>(prepared: P, parts: Parts<P, I>): Run<P, I> {
  const { state, ledger, controls, rollbacks, turns } = parts;
  ledger.setDeadline(deadlineIso(prepared));
  controls.watchDeadline();
  const run: Run<P, I> = {
    get input() {
      return state.input;
    },
    get prepared() {
      return state.prepared ?? prepared;
    },
    ledger,
    controls,
    api: apiOf(prepared, (call) => parkWhileBlocked(run, call)),
    tasks: new Map(),
    turns,
    async begin(stepName) {
      await controls.clearance();
      ledger.begin(stepName);
      return ledger.step(stepName);
    },
    liftDeadline() {
      controls.close();
      ledger.setDeadline(undefined);
    },
    onRollback: (step, rollback) => register(rollbacks, { step, rollback }),
  };
  return run;
}

/** Undoes or keeps what the run did, and takes its leave. */
async function fail<P extends PreparedRun>(
  error: TemporalFailure,
  parts: Parts<P, unknown>,
): Promise<void> {
  const { state, ledger, controls, rollbacks } = parts;
  ledger.setWaiting(undefined);
  controls.unpause();
  const keep = reasonToKeep(error, { plan: state.prepared, controls });
  await unwind({ ledger, rollbacks, plan: state.prepared, keep });
  await finish(isCancellation(error) ? Phase.cancelled : Phase.failed, parts);
}

async function finish<P extends PreparedRun>(
  phase: Phase,
  { state, ledger, controls, turns }: Parts<P, unknown>,
): Promise<void> {
  // Also after a rollback: whoever is next must not meet what is still being undone.
  await endTurns(turns);
  controls.close();
  // An operator's word that arrived late must be answered before the run is gone.
  if (!allHandlersFinished()) {
    await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
  }
  ledger.setWaiting(undefined);
  ledger.setPhase(phase);
  publish(state.prepared, ledger);
}

/** The run has ended, and so have its turns. */
async function endTurns({ held }: Turns): Promise<void> {
  await Promise.all([...held.values()].map((turn) => turn.end()));
}
