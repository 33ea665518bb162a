import type { StrikeKind } from '../../world/chaos.js';
import type { CallRecord, Finding, RunRecord } from '../../world/records.js';
import type { Facts } from '../facts/facts.js';
import { phaseOf } from '../facts/status.js';
import { textsAt } from '../facts/values.js';
import { findingOf } from './findings.js';

const SECOND = 1_000;

/** What happens to a process, and how long that itself may last: after it the promise holds. The world has one process at least. */
const LASTS: Partial<Record<StrikeKind, number>> = {
  caller: 0,
  'evicted run': 0,
  // Until the next one starts.
  'killed process': 60 * SECOND,
  'deployed anew': 60 * SECOND,
  'frozen process': 180 * SECOND,
  'cut from Temporal': 120 * SECOND,
  // A single message, which nobody misses before the heartbeat of its watch.
  'lost completion': 60 * SECOND,
  'long queue': 150 * SECOND,
};

/** Half a minute, and a poll. */
const PROMISED_MS = 40 * SECOND;
/** Several strikes mostly last at the same time. */
const MOST_MS = 6 * 60 * SECOND;

/**
 * No run learns of the end of its task later than it may, whatever its processes go through. Judged where nothing else went
 * wrong: an API that does not answer has an excuse.
 */
export function learnedLate(facts: Facts): Finding[] {
  const { strikes, runs, asks } = facts.evidence;
  if (strikes === undefined || asks.length > 0) return [];
  const lasts = strikes.map(({ kind }) => LASTS[kind] ?? Infinity);
  const allowedMs = PROMISED_MS + lasts.reduce((sum, ms) => sum + ms, 0);
  if (allowedMs === Infinity) return [];
  return runs.flatMap((run) => {
    if (phaseOf(run) === 'paused') return [];
    const late = tasksOf(facts, run).find(({ lateMs }) => lateMs > Math.min(allowedMs, MOST_MS));
    if (late === undefined) return [];
    const says = `it went on ${Math.round(late.lateMs / SECOND)} seconds after the end of its task ${late.id}`;
    return [findingOf('learned late', run, says)];
  });
}

function tasksOf(facts: Facts, run: RunRecord): { id: string; lateMs: number }[] {
  // Another run may have had the Workflow Id before.
  const calls = facts.callsOf(run.workflowId).filter(({ at }) => at >= run.startedAt);
  const ids = calls.flatMap(({ answer, method }) =>
    method === 'GET' ? [] : textsAt(answer, 'tasks'),
  );
  return facts.evidence.after.tasks
    .filter(({ id }) => ids.includes(id))
    .map((task) => ({ id: task.id, lateMs: nextOf(calls, run, task) - task.endsAt }));
}

/** When the run did something again. A process that is cut off may read the task, and can tell nobody. */
function nextOf(
  calls: readonly CallRecord[],
  { closedAt }: RunRecord,
  { id, endsAt }: { id: string; endsAt: number },
): number {
  const next = calls.find(({ at, path }) => at >= endsAt && !path.includes(id))?.at;
  return Math.min(next ?? Infinity, closedAt ?? Infinity);
}
