import {
  CancellationScope,
  CancelledFailure,
  TemporalFailure,
  allHandlersFinished,
  condition,
  isCancellation,
  setCurrentDetails,
  sleep,
  upsertMemo,
} from '@temporalio/workflow';

import { AskedFor, LEFT_MEMO } from '../core/identity.js';
import type { Product, RemoteApi } from '../core/product.js';
import type { PreparedRun } from '../core/prepared-run.js';
import { statusQuery } from '../core/messages.js';
import { LEFT, Phase } from '../core/status.js';
import type { StatusDocument } from '../schema/status-document.js';
import { apiOf, type TaskCallsOf } from './api.js';
import { askedBefore } from './asked-log.js';
import { parkWhileBlocked } from './park-while-blocked.js';
import { onCancelAsked } from './cancel-asked.js';
import {
  controlRun,
  deadlineIso,
  fieldsOf,
  type RunDefinition,
  type RunState,
} from './control-run.js';
import type { Controls } from './controls.js';
import { keepPrepared, toMarkdown, publish } from './publish.js';
import { firstEvent, preparedBefore, startOfRun } from './earlier-history.js';
import { causeOfEnd, toFailureText, toRunFailure } from './failures.js';
import { endTurns, writerOf, hearTurns } from './hear-turns.js';
import { createFreshness } from './read-times.js';
import { createLedger, type Ledger } from './ledger.js';
import { noteEnd } from './note.js';
import { onQuery } from './on-message.js';
import { placeDefect } from './place-defect.js';
import { createNotifier, type Notifier, type Receivers } from './notifier.js';
import { engineActivities } from './engine-activities.js';
import { refusePlan, refuseUnknownFields } from './refuse-unknown-fields.js';
import { reasonToKeep, registerRollback, unwind, type RollbackEntry } from './rollback.js';
import type { Run, Turns } from './run-types.js';
import type { EndPhase } from './fit-status.js';

/** What an engine is made of for one API. */
export interface EngineParts<A extends RemoteApi> {
  product: Product;
  /** Left out for an API without tasks. */
  tasks?: TaskCallsOf<A> | undefined;
}

/**
 * Runs a workflow body with everything that all operations have in common: the status query, the
 * updates `pause`, `resume` and `abort`, the deadline, the current details in the Temporal UI, search
 * attributes, the rollback, and one failure with its details.
 */
export async function runOperation<P extends PreparedRun, I, R, A extends RemoteApi>(
  { product, tasks }: EngineParts<A>,
  definition: RunDefinition<P, I>,
  body: (run: Run<P, I, A>) => Promise<R>,
): Promise<R> {
  const state: RunState<P, I> = {
    input: definition.input,
    prepared: undefined,
    isPreparing: true,
  };
  const ledger = createPublishedLedger(definition, { state, product }, (status) => {
    notifier.onStatus(status);
  });
  onQuery(statusQuery, () => ledger.document());
  const scope = new CancellationScope();
  // An update that came with the start is handled at once: what it needs must be there before its handler.
  let handling: Controls | undefined = undefined;
  const isEnding = () => scope.consideredCancelled || handling?.endingReason() !== undefined;
  const notifier = createNotifier({
    receivers: () => state.prepared ?? state.refused,
    ledger,
    isEnding,
  });
  const controls = controlRun(definition, { state, ledger, scope, product });
  handling = controls;
  // It may call back at once, and the ledger tells the notifier.
  onCancelAsked((by) => {
    ledger.asked.note(AskedFor.cancel, by);
  });
  const parts: RunParts<P, I, A> = {
    product,
    tasks,
    prepare: definition.prepare,
    startedAt: startOfRun(definition.earlier),
    state,
    ledger,
    controls,
    notifier,
    rollbacks: [],
    turns: createTurns(definition),
  };
  hearTurns(parts.turns);
  try {
    // Who is cancelled meanwhile may follow a run that was cut short, and has to name what that has made.
    const prepared = await CancellationScope.nonCancellable(() => prepareOnce(definition, state));
    refuseUnknownFields('the preparation', prepared, fieldsOf(product, definition));
    refusePlan(prepared, definition);
    publish(prepared, parts);
    keepPrepared(prepared, state.input, product);
    const run = createRun(prepared, parts);
    const result = await scope.run(() => body(run));
    // The request to end arrived together with the last answer: it came in time, so it counts.
    if (scope.consideredCancelled) throw new CancelledFailure('cancelled at the very end');
    await finish(Phase.succeeded, parts);
    return result;
  } catch (thrown) {
    const error = isCancellation(thrown) ? (controls.endingReason() ?? thrown) : thrown;
    // Anything else is a defect of the code: Temporal retries the workflow task until it is fixed.
    if (!(error instanceof TemporalFailure)) throw placeDefect(error, placeOf(ledger));
    // Read it now: a rollback goes back through the steps.
    const step = ledger.currentStep();
    const cause = await CancellationScope.nonCancellable(async () => {
      if (state.prepared === undefined) state.refused = await receiversOfRefused(definition);
      return fail(error, parts);
    });
    if (isCancellation(cause)) throw cause;
    throw toRunFailure(cause, { operation: definition.operation, step, ledger });
  }
}

function placeOf(ledger: Ledger): string {
  const step = ledger.currentStep();
  return step === undefined ? 'before its first step' : `in its step "${step}"`;
}

/** Who is told that a run was refused: its receivers were not found out together with its input. */
function receiversOfRefused(
  definition: Pick<RunDefinition<unknown, unknown>, 'input' | 'isPlan'>,
): Promise<Receivers> | undefined {
  if (definition.isPlan === true) return undefined;
  return engineActivities.receiversOf(definition.input);
}

/** An earlier history of the run may have prepared it. */
async function prepareOnce<P extends PreparedRun, I>(
  { earlier, prepare, input }: RunDefinition<P, I>,
  state: RunState<P, I>,
): Promise<P> {
  try {
    const prepared =
      earlier === undefined ? await prepare(input, firstEvent()) : preparedBefore(earlier);
    state.prepared = prepared;
    return prepared;
  } finally {
    state.isPreparing = false;
  }
}

interface RunParts<P, I, A extends RemoteApi> extends EngineParts<A> {
  prepare: RunDefinition<P, I>['prepare'];
  startedAt: number;
  state: RunState<P, I>;
  ledger: Ledger;
  controls: Controls;
  notifier: Notifier;
  rollbacks: RollbackEntry[];
  turns: Turns;
}

/** A ledger that the Temporal UI shows. A blocked or paused run can be searched for too. */
function createPublishedLedger<P extends PreparedRun, I>(
  definition: RunDefinition<P, I>,
  { state, product }: { state: RunState<P, I>; product: Product },
  onStatus: (status: StatusDocument) => void,
): Ledger {
  let publishedHold: string | undefined;
  const { earlier } = definition;
  const before = {
    earlierAsked: askedBefore(startOfRun(earlier)),
    ...(earlier && { earlierSteps: earlier.steps }),
    labels: () => state.prepared?.labels,
  };
  const ledger = createLedger({ ...definition, ...before }, (status) => {
    setCurrentDetails(toMarkdown(status));
    onStatus(status);
    const hold = heldUp(status);
    if (hold === publishedHold) return;
    publishedHold = hold;
    publish(state.prepared, { ledger, product });
  });
  return ledger;
}

/** What a search has to find about an open run that is not just running. */
function heldUp({ phase, waiting }: StatusDocument): string | undefined {
  return phase === Phase.blocked || phase === Phase.paused ? phase : waiting?.holds;
}

function createRun<P extends PreparedRun, I, A extends RemoteApi>(
  prepared: P,
  parts: RunParts<P, I, A>,
): Run<P, I, A> {
  const { product, startedAt, state, ledger, controls, notifier, rollbacks, turns } = parts;
  const { prepare } = parts;
  const api = apiOf<A>(prepared, {
    queues: product.queues,
    pause: controls.pause,
    persist: (call) => parkWhileBlocked(run, call),
    writer: () => writerOf(turns, prepared),
  });
  ledger.setDeadline(deadlineIso(prepared, startedAt));
  controls.watchDeadline();
  const run: Run<P, I, A> = {
    product,
    get input() {
      return state.input;
    },
    get prepared() {
      return state.prepared ?? prepared;
    },
    startedAt,
    ledger,
    controls,
    freshness: createFreshness(prepared.policy),
    api,
    taskCalls: parts.tasks?.(api),
    tasks: new Map(),
    notifier,
    turns,
    round: {},
    async begin(stepName) {
      await controls.untilUnpaused();
      run.round.assertInput?.();
      ledger.begin(stepName);
      return ledger.step(stepName);
    },
    liftDeadline() {
      controls.close();
      // The next history must not watch it either.
      state.prepared = { ...run.prepared, deadlineMs: undefined };
      ledger.setDeadline(undefined);
    },
    onRollback: (step, rollback) => registerRollback(rollbacks, { step, rollback }),
    noteReset(reset) {
      state.prepared = { ...run.prepared, ...reset };
    },
    checkAfterReset: () => prepare(state.input, { ...firstEvent(), isCorrection: true }),
  };
  return run;
}

/** Undoes or keeps what the run did, then finishes it. The answer is why it ends: its status says the same. */
async function fail<P extends PreparedRun, A extends RemoteApi>(
  error: TemporalFailure,
  parts: RunParts<P, unknown, A>,
): Promise<TemporalFailure> {
  const { product, state, ledger, controls, rollbacks } = parts;
  ledger.setWaiting(undefined);
  ledger.setFailure(toFailureText(error));
  controls.unpause();
  const keep = reasonToKeep(error, { prepared: state.prepared, controls });
  await unwind({ ledger, product, rollbacks, prepared: state.prepared, keep });
  const cause = causeOfEnd(error, ledger);
  if (cause !== error) ledger.setFailure(toFailureText(cause));
  await finish(isCancellation(cause) ? Phase.cancelled : Phase.failed, parts);
  return cause;
}

async function finish<P extends PreparedRun, A extends RemoteApi>(
  phase: EndPhase,
  parts: RunParts<P, unknown, A>,
): Promise<void> {
  const { startedAt, state, ledger, controls, notifier, turns } = parts;
  controls.beginClose();
  // After a rollback too: the next run must not meet what is still being undone.
  await endTurns(turns);
  if (controls.isAborted()) {
    // When an event arrives during the workflow task that ends a run, Temporal rejects that task and
    // drops the updates that it answers. So the task that answers `abort` must not end the run.
    await sleep(1, { summary: 'abort: the answer is stored' });
  }
  controls.close();
  await notifier.tellEnd(phase);
  // A late update must be answered before the run closes.
  if (!allHandlersFinished()) {
    await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
  }
  ledger.setWaiting(undefined);
  ledger.setPhase(phase);
  if (phase !== Phase.succeeded && leavesSomething(ledger)) upsertMemo({ [LEFT_MEMO]: true });
  publish(state.prepared, parts);
  noteEnd(phase, parts, startedAt);
}

function leavesSomething(ledger: Ledger): boolean {
  return ledger.document().steps.some(({ state }) => LEFT.has(state));
}

function createTurns({
  earlierLocks,
}: Pick<RunDefinition<unknown, unknown>, 'earlierLocks'>): Turns {
  return { held: new Map(), waits: new Map(), locks: new Set(earlierLocks), doubted: new Set() };
}
