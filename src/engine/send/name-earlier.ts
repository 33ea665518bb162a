import { workflowInfo } from '@temporalio/workflow';

import { runIdOf } from '../core/identity.js';
import { LEFT, StepState, type Resource } from '../core/status.js';
import { noteNewRun } from '../run/earlier-history.js';
import { engineActivities } from '../run/engine-activities.js';
import type { StepRecorder } from '../run/ledger.js';
import type { ChangeRun, MarkedRun } from '../run/run-types.js';
import type { EarlierCall } from './mutation.js';
import { lookForEarlier } from './reconcile.js';
import { knownTasks } from './verdict.js';

const KEPT = 'kept: an earlier run of this request may have made or changed it';

/**
 * A run that was cut short, by a reset too, has named nothing of what it has sent, and its call may still be on its way. This
 * run finds it when it comes to the call. When it ends before, or without success, it looks for it too, and names it: it stays
 * (docs/decisions/0004). Call it before anything can end the run.
 */
export function nameEarlier<T>(
  run: MarkedRun,
  step: StepRecorder,
  callsOf: () => readonly EarlierCall<T>[],
): void {
  run.onRollback(step, {
    inventory: async () => {
      await noticeReset(run);
      if (run.prepared.cutShortAt === undefined) return [];
      const found = await Promise.all(callsOf().map((call) => madeBefore(run, call)));
      return withLeft(run, step, found.flat());
    },
    note: KEPT,
  });
}

/** Its next call tells a run of its reset. One that has no call to make has to ask who it is. */
export async function noticeReset(run: MarkedRun): Promise<void> {
  const { maker } = run.prepared;
  const runId = await engineActivities.currentRunId();
  if (runId === runIdOf(maker)) return;
  noteNewRun(run, maker, runId);
}

const NOT_KNOWN = 'the run ended before it was known what an earlier run of this request has sent';

/** What a change knows of the runs before it. */
export interface EarlierRuns {
  /** It has looked for what the run has sent that was cut short at this time. */
  haveLooked(cutShortAt: number): void;
  /** It was told that a reset has made it this run. */
  isNow(runId: string): void;
}

/**
 * A change or a delete leaves no marker: where a run ends before it has sent its call, and before it has looked whether one that
 * was cut short has, it does not know, and says so. Call it before anything can end the run.
 */
export function admitEarlier(run: ChangeRun, step: StepRecorder): EarlierRuns {
  let known = workflowInfo().originalExecutionRunId;
  let lookedFor: number | undefined;
  // No call may have told it of its reset yet.
  const isSure = async (): Promise<boolean> =>
    run.prepared.cutShortAt === lookedFor && (await engineActivities.currentRunId()) === known;
  const isOpen = (): boolean =>
    step.state === StepState.planned || step.state === StepState.sending;
  run.onRollback(step, {
    inventory: async () => {
      if (isOpen() && !(await isSure())) step.set(StepState.outcomeUnknown, { note: NOT_KNOWN });
      return [];
    },
  });
  return {
    haveLooked: (cutShortAt) => {
      lookedFor = cutShortAt;
    },
    isNow: (runId) => {
      known = runId;
    },
  };
}

async function madeBefore<T>(run: MarkedRun, call: EarlierCall<T>): Promise<Resource[]> {
  const verdict = await lookForEarlier(run, call);
  // A list may still show what this run has removed.
  const isOwn = verdict.kind === 'present' && call.isMine?.(verdict.resource) === true;
  return call.inventory(isOwn ? [] : knownTasks(verdict), 'earlier');
}

/** Beside what the run itself has left. */
function withLeft(
  { ledger }: MarkedRun,
  { name, state }: StepRecorder,
  found: readonly Resource[],
): Resource[] {
  if (found.length === 0) return [];
  const { resources = [] } = ledger.document().steps.find((step) => step.name === name) ?? {};
  const all = LEFT.has(state) ? [...resources, ...found] : found;
  return [
    ...new Map(all.map((resource) => [`${resource.kind} ${resource.id}`, resource])).values(),
  ];
}
