import type { Finding } from '../../world/records.js';
import { type Act, type Facts, groupBy, isOfRun, wasAsked } from '../facts/facts.js';
import { isOperation } from '../facts/operations.js';
import { PROMISES } from '../promises/index.js';
import { textsAt } from '../facts/values.js';
import { findingOf } from './findings.js';

/** What a repeat does again, such as a restart, is carried out once for each run. */
export function doneTwice(facts: Facts): Finding[] {
  const acts = facts.acts.filter(isOfRun).filter((act) => isRepeatable(facts, act));
  const byRequest = groupBy(acts, ({ workflowId }) => workflowId);
  const single = [...byRequest].flatMap(([workflowId, done]) => {
    const most = allowed(facts, workflowId, done);
    if (done.length <= most) return [];
    const operation = facts.operationOf(workflowId) ?? 'a run';
    const says = `its call was carried out ${done.length} times by ${runCount(facts, workflowId)} run(s) of one request. Once for each run is right.`;
    return [findingOf('done twice', { workflowId, operation }, says)];
  });
  return [...single, ...twinsInBatches(facts, acts)];
}

function isRepeatable(facts: Facts, act: Act & { workflowId: string }): boolean {
  if (act.isFailed) return false;
  const operation = facts.operationOf(act.workflowId);
  const once = operation && PROMISES[operation].once;
  if (once === undefined) return false;
  const kinds = kindsOf(facts, act);
  return kinds.some((kind) => once.includes(kind));
}

/** The kinds of the tasks that it has started; a revert names none. */
function kindsOf(facts: Facts, { call }: Act): string[] {
  if (call.path.includes('/revert')) return ['revert_volume'];
  return textsAt(call.answer, 'tasks').flatMap((id) => facts.tasks.get(id)?.plan.kind ?? []);
}

function runCount(facts: Facts, workflowId: string): number {
  return new Set(facts.runsOf(workflowId).map(({ firstRunId }) => firstRunId)).size;
}

/**
 * Each run, each resume of a person, and each change by somebody else that takes it back are reasons to do it once more. So is
 * a task that vanished before anybody saw it, where nothing else tells of the call.
 */
function allowed(facts: Facts, workflowId: string, done: readonly Act[]): number {
  const starter = facts.starterOf({ workflowId });
  const resumes = facts.evidence.asks.filter(
    ({ what, workflowId: asked }) =>
      (what === 'resume' || what === 'retry') &&
      (asked === workflowId || asked === starter || asked.startsWith('--group')),
  );
  const rows = done.flatMap(({ effects }) =>
    effects.filter(({ isConsequence }) => isConsequence !== true),
  );
  const [first] = done;
  const others = new Set(
    rows.flatMap((ref) =>
      facts.actsOn(ref).filter((act) => act.who !== first?.who && act.endsAt > (first?.at ?? 0)),
    ),
  );
  const untraced = done.filter((act) => leavesNoTrace(facts, act)).length;
  return (
    Math.max(1, runCount(facts, workflowId)) +
    resumes.length +
    others.size +
    Math.min(untraced, vanishedFor(facts, workflowId))
  );
}

/** Nothing but its task tells of a restart or of a revert. */
function leavesNoTrace(facts: Facts, act: Act): boolean {
  return kindsOf(facts, act).some((kind) => RESTARTS.test(kind) || kind === 'revert_volume');
}

/** How many tasks were gone from the lists in which this run looked for its own. One that was reset has forgotten what it had read. */
function vanishedFor(facts: Facts, workflowId: string): number {
  const { strikes = [] } = facts.evidence;
  const isReset = wasAsked(facts, 'reset', workflowId);
  return strikes.filter(
    ({ kind, occasion }) =>
      kind === 'task vanishes' &&
      (isReset || /\/tasks #\d+ of (.+)$/.exec(occasion)?.[1] === workflowId),
  ).length;
}

const RESTARTS = /reboot/;

/** Several lines of one batch restart the same machine. */
function twinsInBatches(facts: Facts, acts: readonly (Act & { workflowId: string })[]): Finding[] {
  const ofBatches = acts.flatMap((act) => {
    const batch = facts.starterOf({ workflowId: act.workflowId });
    const row = act.effects.find(({ rows }) => rows === 'instances');
    const isRestart = kindsOf(facts, act).some((kind) => RESTARTS.test(kind));
    return batch === undefined || row === undefined || !isRestart ? [] : [{ batch, row, act }];
  });
  return [...groupBy(ofBatches, ({ batch, row }) => `${batch} ${row.id}`).values()].flatMap(
    (twins) => {
      const runs = new Set(twins.map(({ act }) => act.workflowId));
      const workflowId = twins[0]?.batch;
      if (runs.size < 2 || workflowId === undefined || !isOperation('runBatch')) return [];
      return [
        findingOf(
          'done twice',
          { workflowId, operation: 'runBatch' },
          `one list restarted one machine ${runs.size} times`,
        ),
      ];
    },
  );
}
