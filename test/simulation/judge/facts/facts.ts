import type { SimulatorState } from '../../../../src/simulator/index.js';
import { operationOfId, type Operation } from '../../../../src/contract/wire/names.js';
import type {
  AskRecord,
  CallRecord,
  Evidence,
  RequestRecord,
  RunRecord,
} from '../../world/records.js';
import { batchesOf } from './batches.js';
import { effectsOf, wasCarriedOut } from './effects.js';
import { isOperation } from './operations.js';
import { type Effect, keyOf, type RowRef, type Rows } from './rows.js';
import { createTimeline, type Timeline } from './timeline.js';
import { textsAt } from './values.js';

/** A call that has changed something. */
export interface Act {
  call: CallRecord;
  /** Who did it: the Workflow Id of a run without that of its parts, or the name of another actor. */
  who: string;
  workflowId: string | undefined;
  at: number;
  /** When its tasks have ended. */
  endsAt: number;
  /** The cloud right before it, as far as it is known. */
  cloud: SimulatorState;
  /** All of its tasks have ended in ERROR: only what is left of it counts. */
  isFailed: boolean;
  effects: readonly Effect[];
}

/** What the evidence says, found once for all invariants. */
export interface Facts {
  evidence: Evidence;
  timeline: Timeline;
  tasks: ReadonlyMap<string, Rows['tasks']>;
  acts: readonly Act[];
  actsOn(ref: RowRef): readonly Act[];
  /** Who made it in this world; undefined: it was there before, or nobody knows. */
  makerOf(ref: RowRef): Act | undefined;
  runsOf(workflowId: string): readonly RunRecord[];
  requestsOf(workflowId: string): readonly RequestRecord[];
  callsOf(workflowId: string): readonly CallRecord[];
  /** The run whose part this is; itself when it is no part. */
  rootOf(workflowId: string): string;
  /** The batch or run that started it. */
  starterOf(run: Pick<RunRecord, 'workflowId' | 'byRun'>): string | undefined;
  operationOf(workflowId: string): Operation | undefined;
}

export function createFacts(evidence: Evidence): Facts {
  const timeline = createTimeline(evidence);
  const tasks = tasksOf(evidence);
  const runs = groupBy(evidence.runs, ({ workflowId }) => workflowId);
  const requests = groupBy(evidence.requests, ({ workflowId }) => workflowId);
  const calls = groupBy(evidence.calls, ({ workflowId }) => workflowId ?? '');
  const rootOf = createRoots([...runs.keys(), ...requests.keys()]);
  const acts = evidence.calls
    .filter(wasCarriedOut)
    .map((call) => toAct(call, { tasks, timeline, rootOf }))
    .filter(({ effects }) => effects.length > 0);
  const byRow = groupPairs(
    acts.flatMap((act) => act.effects.map((effect): [string, Act] => [keyOf(effect), act])),
  );
  // Where runs say who has started them, nothing is left to guess.
  const isTold = evidence.runs.some(({ byRun }) => byRun !== undefined);
  const batches = isTold ? new Map<string, string>() : batchesOf(evidence.runs);
  const find = (workflowId: string): Operation | undefined =>
    requests.get(workflowId)?.[0]?.operation ??
    runs
      .get(workflowId)
      ?.map((run) => run.operation)
      .find(isOperation) ??
    operationOfId(workflowId);
  const operations = new Map<string, Operation | undefined>();
  const operationOf = (workflowId: string): Operation | undefined => {
    if (!operations.has(workflowId)) operations.set(workflowId, find(workflowId));
    return operations.get(workflowId);
  };
  return {
    evidence,
    timeline,
    tasks,
    acts,
    actsOn: (ref) => byRow.get(keyOf(ref)) ?? [],
    makerOf: (ref) =>
      (byRow.get(keyOf(ref)) ?? []).find(({ effects }) =>
        effects.some(
          ({ rows, id, does }) => does === 'makes' && rows === ref.rows && id === ref.id,
        ),
      ),
    runsOf: (workflowId) => runs.get(workflowId) ?? [],
    requestsOf: (workflowId) => requests.get(workflowId) ?? [],
    callsOf: (workflowId) => calls.get(workflowId) ?? [],
    rootOf,
    starterOf: ({ workflowId, byRun }) =>
      byRun ?? starterOf(workflowId, { requests, rootOf }) ?? batches.get(workflowId),
    operationOf,
  };
}

function starterOf(
  workflowId: string,
  {
    requests,
    rootOf,
  }: { requests: ReadonlyMap<string, readonly RequestRecord[]>; rootOf: Facts['rootOf'] },
): string | undefined {
  const root = rootOf(workflowId);
  if (root !== workflowId) return workflowId.slice(0, workflowId.lastIndexOf('/'));
  const starters = (requests.get(workflowId) ?? []).map(({ byRun }) => byRun);
  return starters.every((each) => each !== undefined) ? starters[0] : undefined;
}

/** No task is ever removed. */
function tasksOf({ after }: Evidence): Map<string, Rows['tasks']> {
  return new Map(after.tasks.map((task) => [task.id, task]));
}

export function groupBy<T>(all: readonly T[], keyOfOne: (one: T) => string): Map<string, T[]> {
  return groupPairs(all.map((one): [string, T] => [keyOfOne(one), one]));
}

function groupPairs<T>(pairs: readonly (readonly [string, T])[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [key, one] of pairs) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else if (group.at(-1) !== one) group.push(one);
  }
  return groups;
}

/** Parts have the Workflow Id of their run and one more word. Other ids may begin so too, but with an operation of their own. */
function createRoots(workflowIds: readonly string[]): Facts['rootOf'] {
  const known = new Set(workflowIds);
  const roots = new Map<string, string>();
  const find = (workflowId: string): string => {
    const cut = workflowId.lastIndexOf('/');
    const parent = workflowId.slice(0, Math.max(0, cut));
    return PARTS.test(workflowId) && known.has(parent) ? find(parent) : workflowId;
  };
  return (workflowId) => {
    const root = roots.get(workflowId) ?? find(workflowId);
    roots.set(workflowId, root);
    return root;
  };
}

const PARTS = /\/(?:protect|instance|move|back|delete|undo)$/;

function toAct(
  call: CallRecord,
  {
    tasks,
    timeline,
    rootOf,
  }: { tasks: Facts['tasks']; timeline: Timeline; rootOf: Facts['rootOf'] },
): Act {
  const named = textsAt(call.answer, 'tasks').flatMap((id) => tasks.get(id) ?? []);
  const started = named.length > 0 ? named : startedUnnamed(call, tasks);
  const lasts = Math.max(0, ...started.map(({ createdAt, endsAt }) => endsAt - createdAt));
  const cloud = call.cloudBefore ?? timeline.before(call.at);
  return {
    call,
    who: whoOf(call, rootOf),
    workflowId: call.workflowId,
    at: call.at,
    cloud,
    endsAt: call.at + lasts,
    isFailed: started.length > 0 && started.every(({ failure }) => failure !== null),
    effects: effectsOf(call, { tasks, cloud }),
  };
}

/** The answer of a revert names no task, but there is one. */
function startedUnnamed({ path, at }: CallRecord, tasks: Facts['tasks']): Rows['tasks'][] {
  if (!path.endsWith('/revert')) return [];
  return [...tasks.values()].filter(
    ({ plan, createdAt }) => plan.kind === 'revert_volume' && createdAt === at,
  );
}

function whoOf({ workflowId, actor }: CallRecord, rootOf: Facts['rootOf']): string {
  if (actor !== undefined) return `actor ${actor}`;
  return workflowId === undefined ? 'somebody' : rootOf(workflowId);
}

/** Those of the runs, not of other actors. */
export function isOfRun(act: Act): act is Act & { workflowId: string } {
  return act.call.actor === undefined && act.workflowId !== undefined;
}

/** Whether somebody has asked this of a run with this Workflow Id. */
export function wasAsked(
  { evidence }: Facts,
  what: AskRecord['what'],
  workflowId: string,
): boolean {
  return evidence.asks.some((ask) => ask.what === what && ask.workflowId === workflowId);
}
