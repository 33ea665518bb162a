import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';

import { statusQuery } from '../../../src/contract/messages.js';
import type { StatusDocument } from '../../../src/contract/status-document.js';
import { inBatches } from '../timing/in-batches.js';
import { existingOf, mostPerMarker } from '../worlds/marked.js';
import type { OperationCase } from '../operations/tested-operation.js';
import { inScenario, type Scenario } from './scenario.js';

/** One call of a run to the API, held until the disturbance lets it go. */
export interface Call {
  request: Request;
  run: WorkflowHandle;
  /** Counted from 0 within the run. */
  index: number;
  /** Sends the call, as often as wanted. */
  send: () => Promise<Response>;
}

/** What happens at a call instead of just sending it. */
export type Disturbance = (call: Call) => Promise<Response>;

export interface Disturbed {
  /** The step that the run was in, by its own ledger, when it was first disturbed. */
  at: string | undefined;
  /** False when the run made fewer calls than that. */
  reached: boolean;
  phase: StatusDocument['phase'];
  failedStep: unknown;
  /** Whether an operator's word reached it before it ended; a late call of a run may outlive it. */
  wasTold: boolean;
  /** Ids that the ledger names and ids that exist; equal unless the ledger lies. */
  ledger: string[];
  existing: string[];
}

/** A run and what is to happen to it. */
interface Experiment {
  disturbs: (index: number) => boolean;
  run: Promise<WorkflowHandle>;
  at?: string | undefined;
  reached: boolean;
}

/** A cloud, a worker and many runs of one operation, each disturbed in its own way. */
export interface Laboratory {
  /** Runs the operation, with the disturbance at its nth call, or at every one. */
  disturb: (nth?: number) => Promise<Disturbed>;
  /** The methods of the calls that a run makes which nothing disturbs, in their order. */
  usualCalls: () => Promise<readonly string[]>;
  /** The most instances, or profiles, that any request ever had. */
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

/** Found out once in a test file. */
const usualCalls = new Map<OperationCase, Promise<readonly string[]>>();

/** The calls of a run name it; those of the watcher belong to all runs. */
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
  return {
    at: experiment.at,
    reached: experiment.reached,
    phase: status.phase,
    failedStep,
    wasTold: await hasHeard(run),
    ...existingOf(status, { workflowId, inventory }),
    ...(operation.existing && { existing: operation.existing(name, inventory).sort() }),
  };
}

/** Several laboratories are at work side by side. */
const MOST_AT_ONCE = 6;

/** Disturbs a run at its first call, another at its second, and so on, to the last of them. */
export async function disturbEach(laboratory: Laboratory): Promise<Disturbed[]> {
  const usual = await laboratory.usualCalls();
  return disturbAt(laboratory, [...usual.keys()]);
}

/**
 * Disturbs a run at its first call that may change something, another at its second, and so on; at
 * each call where none does. For disturbances that a run which reads cannot tell from others.
 */
export async function disturbEachChange(laboratory: Laboratory): Promise<Disturbed[]> {
  const usual = await laboratory.usualCalls();
  const changes = [...usual.keys()].filter((nth) => usual[nth] !== 'GET');
  return disturbAt(laboratory, changes.length === 0 ? [...usual.keys()] : changes);
}

async function disturbAt(laboratory: Laboratory, nths: readonly number[]): Promise<Disturbed[]> {
  const all = await inBatches(nths, MOST_AT_ONCE, laboratory.disturb);
  // How often a run looks after its tasks is a matter of time, and so is the number of its calls.
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

/** `Promise.withResolvers`, which Node 20 has not. */
function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let settle: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle?.(value) };
}

/** The first step that has not come to its good end. */
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
