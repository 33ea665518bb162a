import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';

import { statusQuery } from '../../src/engine/core/messages.js';
import type { StatusDocument } from '../../src/engine/schema/status-document.js';
import { inBatches } from '../support/timing/in-batches.js';
import { existingOf, mostPerMarker } from '../support/worlds/marked.js';
import type { OperationCase } from '../support/operations/tested-operation.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';

/** One call of a run to the API. The disturbance holds it, and decides when to send it. */
export interface Call {
  request: Request;
  run: WorkflowHandle;
  /** Counted from 0 within the run. */
  index: number;
  /** Sends the call. May be used several times. */
  send: () => Promise<Response>;
}

/** Replaces the plain sending of a call. */
export type Disturbance = (call: Call) => Promise<Response>;

export interface Disturbed {
  /** The current step in the run's ledger at the first disturbance. */
  at: string | undefined;
  /** False if the run ended before it came to the call that was to be disturbed. */
  reached: boolean;
  phase: StatusDocument['phase'];
  failedStep: unknown;
  /** Whether a cancel or an update reached the run. A late call can come after the run's end. */
  wasTold: boolean;
  /** Ids that the ledger names, and ids that exist. They are equal if the ledger is true. */
  ledger: string[];
  existing: string[];
}

/** A run, and the calls of it to disturb. */
interface Experiment {
  disturbs: (index: number) => boolean;
  run: Promise<WorkflowHandle>;
  at?: string | undefined;
  reached: boolean;
}

/** A cloud, a worker and many runs of one operation. Each run is disturbed in its own way. */
export interface Laboratory {
  /** Runs the operation with the disturbance at its nth call, or at every call. */
  disturb: (nth?: number) => Promise<Disturbed>;
  /** The methods of an undisturbed run's calls, in order. */
  usualCalls: () => Promise<readonly string[]>;
  /** The maximum number of instances or profiles that one request ever had. */
  mostPerMarker: () => number;
}

export async function inLaboratory(
  operation: OperationCase,
  disturbance: Disturbance,
  test: (laboratory: Laboratory) => Promise<void>,
): Promise<void> {
  const experiments = new Map<string, Experiment>();
  const calls = new Map<string, string[]>();
  const most = mostPerMarker();
  const line = async (request: Request): Promise<Response> => {
    const send = () => globalThis.fetch(request.clone());
    const workflowId = workflowIdOf(request);
    const experiment = experiments.get(workflowId);
    if (experiment === undefined) return send();
    const methods = calls.get(workflowId) ?? [];
    calls.set(workflowId, methods);
    const index = methods.push(request.method) - 1;
    if (!experiment.disturbs(index)) return send();
    const run = await experiment.run;
    if (!experiment.reached) {
      experiment.reached = true;
      experiment.at = await currentStep(run);
    }
    return disturbance({ request, run, index, send });
  };
  const { state } = operation;
  const options = { line, onChange: most.see, ...(state && { state }) };
  await inScenario(options, async (scenario) => {
    const disturb = (nth?: number) => conduct({ scenario, operation, experiments, nth });
    await test({
      mostPerMarker: most.most,
      disturb,
      usualCalls: () => {
        const known = usualCalls.get(operation);
        if (known !== undefined) return known;
        const usual = disturb(Infinity).then(() => [...calls.values()].at(-1) ?? []);
        usualCalls.set(operation, usual);
        return usual;
      },
    });
  });
}

/** Each test file measures these once. */
const usualCalls = new Map<OperationCase, Promise<readonly string[]>>();

/** The User-Agent of a run's call names the run. Calls of the watcher belong to all runs. */
function workflowIdOf(request: Request): string {
  return /\((.*)\)$/.exec(request.headers.get('user-agent') ?? '')?.[1] ?? '';
}

interface Setup {
  scenario: Scenario;
  operation: OperationCase;
  experiments: Map<string, Experiment>;
  nth: number | undefined;
}

async function conduct({ scenario, operation, experiments, nth }: Setup): Promise<Disturbed> {
  const name = `step-${nth ?? 'all'}-${experiments.size}`;
  const workflowId = `${name}-${scenario.account}`;
  const started = deferred<WorkflowHandle>();
  const disturbs = (index: number) => nth === undefined || index === nth;
  const experiment: Experiment = { disturbs, run: started.promise, reached: false };
  experiments.set(workflowId, experiment);
  const run = await scenario.start(operation.operation, operation.input(name), workflowId);
  started.resolve(run);
  const failedStep = await stepOfFailure(run);
  const status = await run.query(statusQuery);
  const inventory = scenario.simulator.inventory();
  const ids = {
    ...existingOf(status, { workflowId, inventory }),
    ...(operation.existing && { existing: operation.existing(name, inventory).sort() }),
  };
  return {
    at: experiment.at,
    reached: experiment.reached,
    phase: status.phase,
    failedStep,
    wasTold: await hasHeard(run),
    ...(operation.differences?.(name, { status, inventory, ...ids }) ?? ids),
  };
}

/** Small, because several laboratories work side by side. */
const MAX_RUNS_AT_ONCE = 6;

/** Disturbs one run at its first call, another at its second, and so on to the last call. */
export async function disturbEach(laboratory: Laboratory): Promise<Disturbed[]> {
  const usual = await laboratory.usualCalls();
  return disturbAt(laboratory, [...usual.keys()]);
}

/**
 * Like `disturbEach`, but only at calls that may change something. If an operation has none, disturbs
 * every call. Use this for disturbances that have the same effect on every read.
 */
export async function disturbEachChange(laboratory: Laboratory): Promise<Disturbed[]> {
  const usual = await laboratory.usualCalls();
  const changes = [...usual.keys()].filter((nth) => usual[nth] !== 'GET');
  return disturbAt(laboratory, changes.length === 0 ? [...usual.keys()] : changes);
}

async function disturbAt(laboratory: Laboratory, nths: readonly number[]): Promise<Disturbed[]> {
  const all = await inBatches(nths, MAX_RUNS_AT_ONCE, laboratory.disturb);
  // The number of polls depends on timing, so a run may make fewer calls than usual.
  const reached = all.filter((run) => run.reached);
  if (reached.length < nths.length / 2) throw new Error('runs make fewer calls than usual');
  return reached;
}

async function hasHeard(run: WorkflowHandle): Promise<boolean> {
  const { events } = await run.fetchHistory();
  return (events ?? []).some(
    ({
      workflowExecutionCancelRequestedEventAttributes: cancel,
      workflowExecutionUpdateAcceptedEventAttributes: update,
    }) => Boolean(cancel ?? update),
  );
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle?.(value) };
}

/** The first step that is not verified. */
async function currentStep(run: WorkflowHandle): Promise<string | undefined> {
  const { steps } = await run.query(statusQuery);
  return steps.find(({ state }) => state !== 'verified')?.name;
}

async function stepOfFailure(run: WorkflowHandle): Promise<unknown> {
  try {
    await run.result();
    return undefined;
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const { cause } = error;
    const details: unknown = cause && 'details' in cause ? cause.details : undefined;
    const first: unknown = Array.isArray(details) ? details[0] : undefined;
    return first instanceof Object && 'step' in first ? first.step : undefined;
  }
}
