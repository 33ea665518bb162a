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

import type {
  PreparedMaker,
  PreparedRun,
  PreparedSender,
} from '../../../contract/prepared/prepared-run.js';
import { statusQuery } from '../../../contract/messages.js';
import { Phase } from '../../../contract/status.js';
import { apiOf, type Api } from './api.js';
import { parkWhileBlocked } from './park-while-blocked.js';
import { controlRun, deadlineOf, isoOf, type OperationRun, type State } from './control-run.js';
import type { Controls } from './controls.js';
import { toMarkdown } from './current-details.js';
import { toRunFailure } from './failures.js';
import { createLedger, type Ledger, type StepRecorder } from './ledger.js';
import { publish } from './publish.js';
import { refusePlan } from '../plan/refuse-plan.js';
import {
  reasonToKeep,
  register,
  unwind,
  type Registered,
  type RegisteredRollback,
  type Rollback,
} from './rollback.js';
import { createTurns, endTurns, type Turns } from '../turns/turns.js';
import type { TaskOutcome } from '../wait/wait-for-tasks.js';

/** What a workflow body works with. */
export interface Run<P extends PreparedRun = PreparedRun, I = unknown> {
  /** The input as it is now: a person may have corrected it while the run was blocked. */
  readonly input: I;
  readonly prepared: P;
  readonly api: Api;
  readonly ledger: Ledger;
  readonly controls: Controls;
  /** The tasks waited for so far: since when, and how they ended. */
  readonly tasks: Map<string, { since: number; outcome?: TaskOutcome | undefined }>;
  /** See `takeTurn`. */
  readonly turns: Turns;
  /** What the deadline is for has been reached; from now on it ends nothing. */
  liftDeadline(): void;
  /** Begins a step, unless the run is paused: then when it goes on. */
  begin(stepName: string): Promise<StepRecorder>;
  /** Runs, newest first, when the run fails or is cancelled. Register before the mutation it undoes. */
  onRollback(step: StepRecorder, rollback: Rollback): RegisteredRollback;
}

/** A run that sends what the API would do twice, as its sends know it. */
export type MarkedRun = Run<PreparedSender>;

/** A run that makes things of the cloud, as its looks and its removals know it. */
export type MakerRun = Run<PreparedMaker>;

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
  const parts: Parts<P, I> = { state, ledger, controls, rollbacks: [], turns: createTurns() };
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
  { operation, steps }: OperationRun<P, I>,
  state: State<P, I>,
): Ledger {
  let held: Phase | undefined;
  const ledger = createLedger(operation, steps, (status) => {
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
  ledger.setDeadline(isoOf(deadlineOf(prepared)));
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
