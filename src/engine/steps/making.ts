import { runIdOf } from '../core/identity.js';
import type { PreparedSender } from '../core/prepared-run.js';
import type { RemoteApi } from '../core/product.js';
import { isTerminal } from '../core/tasks.js';
import { isoOf } from '../core/times.js';
import { orUndefinedIfGone } from '../run/failures.js';
import type { StepRecorder } from '../run/ledger.js';
import type { Run } from '../run/run-types.js';
import type { SendWindow, Trace } from '../send/mutation.js';
import type { Verdict } from '../send/verdict.js';
import { describeBroken, judgeMade } from './judge-made.js';
import type { MadeThing, MakeStep } from './make-step.js';
import type { Asked } from './step.js';

/** What a run has learned about things and runs of its request. */
export interface Memory {
  /** Earlier runs that ended without success: what they left may be removed. */
  makers: Set<string>;
  /** Things whose creation has failed, whichever run of the request sent it. */
  givenUp: Set<string>;
  /** Things that are known to be of others. */
  foreign: Set<string>;
  /** Tasks that ended without saying what they made, and things of tasks that one look did not find. */
  unclear: Set<string>;
  /** Things that the API says it has deleted for this run. */
  deleted: Set<string>;
  /** When the first call was sent whose answer the run has lost. */
  firstLost?: number;
}

export function noMemory(): Memory {
  return {
    makers: new Set(),
    givenUp: new Set(),
    foreign: new Set(),
    unclear: new Set(),
    deleted: new Set(),
  };
}

/** One round of a step that makes something. */
export interface Making<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi> {
  run: Run<P, I, A>;
  step: MakeStep<I, P, T, A>;
  asked: Asked<I, P, A>;
  memory: Memory;
  recorder: StepRecorder;
}

/** Whether this run, or an earlier one that ended without success, made it. */
export async function mayRemove<
  I,
  P extends PreparedSender,
  T extends MadeThing,
  A extends RemoteApi,
>({ run, step, memory }: Making<I, P, T, A>, { id, marker, maker }: MadeThing): Promise<boolean> {
  if (marker !== run.prepared.marker || maker === undefined) return false;
  if (maker === run.prepared.maker || memory.makers.has(maker) || memory.givenUp.has(id))
    return true;
  const isLeftover = await step.endedWithoutSuccess(runIdOf(maker));
  if (isLeftover) memory.makers.add(maker);
  return isLeftover;
}

/** Judges what carries the marker. A broken thing is a leftover only when the run may remove it. */
export async function judgeFound<
  I,
  P extends PreparedSender,
  T extends MadeThing,
  A extends RemoteApi,
>(making: Making<I, P, T, A>, found: readonly T[]): Promise<Verdict<T>> {
  const { run, step, asked } = making;
  const verdict = judgeMade(step, asked, found);
  if (verdict.kind !== 'leftover') return verdict;
  const kept: T[] = [];
  for (const seen of found) if (!(await mayRemove(making, seen))) kept.push(seen);
  if (kept.length === 0) {
    return { ...verdict, isForeign: found.every(({ maker }) => maker !== run.prepared.maker) };
  }
  return {
    kind: 'contradiction',
    note: `An earlier run of this request made ${describeBroken(step.kind, kept)}, and it may have succeeded.`,
    advice:
      'It may hold data, so the run leaves it alone. Repair or delete it and `resume`. `abort` ends the run.',
  };
}

/**
 * Looks for a lost call in the list of tasks, which may show it while the lists of things lag. Where a task repeats the
 * tags of its call, they decide; otherwise the marker on what it has made does, so an open task has to be waited for.
 */
export function createTrace<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi>(
  making: Making<I, P, T, A>,
): (sent: SendWindow) => Promise<Trace<T>> {
  const { run, step, asked, memory } = making;
  return async ({ from, to, isEarlier }) => {
    const tasks = await step.listTasks(asked, { from: isoOf(from), to: isoOf(to) });
    // From a second lost call on, a task may be that of the first one, which showed late.
    const isFirst = isEarlier !== true && (memory.firstLost ??= from) === from;
    const own = tasks.filter(
      ({ id, isOfRun }) => isFirst && isOfRun === true && !run.tasks.has(id),
    );
    if (own.length === 1) return { kind: 'task', taskIds: own.map(({ id }) => id) };
    const unseen: string[] = [];
    for (const task of tasks) {
      for (const id of task.created) {
        const verdict = await judgeCreated(making, id);
        if (verdict === 'unseen') unseen.push(id);
        else if (verdict.kind === 'contradiction') return verdict;
        else if (verdict.kind !== 'absent') return { ...verdict, taskIds: [task.id] };
      }
    }
    return traceOfRest(memory.unclear, tasks, unseen);
  };
}

interface MayBeOfCall {
  id: string;
  state: string;
  created: readonly string[];
}

/**
 * What is left when nothing of a lost call shows. A task that has ended without naming what it made, and a thing that one look
 * does not find, may show until lists have caught up, and then count as nothing.
 */
export function traceOfRest(
  known: Set<string>,
  tasks: readonly MayBeOfCall[],
  unseen: Iterable<string>,
): Extract<Trace<never>, { kind: 'pending' | 'none' }> {
  const isOpen = tasks.some(({ state }) => !isTerminal(state));
  const silent = tasks.filter(({ state, created }) => isTerminal(state) && created.length === 0);
  const added = [...silent.map(({ id }) => id), ...unseen].filter((id) => !known.has(id));
  for (const id of added) known.add(id);
  return added.length > 0 || isOpen ? { kind: 'pending' } : { kind: 'none' };
}

/** Judges one thing that a task has made. `absent`: it is of another request. `unseen`: this look does not find it. */
async function judgeCreated<I, P extends PreparedSender, T extends MadeThing, A extends RemoteApi>(
  making: Making<I, P, T, A>,
  id: string,
): Promise<Verdict<T> | 'unseen'> {
  const { run, step, asked, memory } = making;
  if (memory.foreign.has(id)) return { kind: 'absent' };
  const seen = await orUndefinedIfGone(step.read(asked, id));
  if (seen === undefined) return 'unseen';
  if (seen.marker === run.prepared.marker) return judgeFound(making, [seen]);
  memory.foreign.add(id);
  return { kind: 'absent' };
}
