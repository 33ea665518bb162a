import type { StrikeKind } from '../../world/chaos.js';
import type { CallRecord, Finding, RunRecord } from '../../world/records.js';
import type { Facts } from '../facts/facts.js';
import { phaseOf } from '../facts/status.js';
import { textsAt } from '../facts/values.js';
import { findingOf } from './findings.js';

/** Of a process. Whatever happens to it, another one or the timers of the run come to know of the end of a task. */
const OF_PROCESSES: ReadonlySet<StrikeKind> = new Set([
  'caller',
  'killed process',
  'frozen process',
  'cut from Temporal',
  'deployed anew',
  'lost completion',
  'long queue',
  'evicted run',
]);

/**
 * The longest of these stands still for three minutes, or is cut off for two. A watch is handed over within half a minute, and a
 * look comes within a minute.
 */
const PROMISED_MS = 6 * 60_000;

/**
 * No run learns of the end of its task later than it may, whatever its processes go through. Judged where nothing else went
 * wrong: an API that does not answer has an excuse.
 */
export function learnedLate(facts: Facts): Finding[] {
  const { strikes, runs, asks } = facts.evidence;
  if (strikes?.every(({ kind }) => OF_PROCESSES.has(kind)) !== true || asks.length > 0) return [];
  return runs.flatMap((run) => {
    if (phaseOf(run) === 'paused') return [];
    const late = tasksOf(facts, run).find(({ lateMs }) => lateMs > PROMISED_MS);
    if (late === undefined) return [];
    const says = `it went on ${Math.round(late.lateMs / 60_000)} minutes after the end of its task ${late.id}`;
    return [findingOf('learned late', run, says)];
  });
}

function tasksOf(facts: Facts, run: RunRecord): { id: string; lateMs: number }[] {
  const calls = facts.callsOf(run.workflowId);
  const ids = calls.flatMap(({ answer, method }) =>
    method === 'GET' ? [] : textsAt(answer, 'tasks'),
  );
  return facts.evidence.after.tasks
    .filter(({ id }) => ids.includes(id))
    .map(({ id, endsAt }) => ({ id, lateMs: nextOf(calls, run, endsAt) - endsAt }));
}

/** When the run did something again. */
function nextOf(calls: readonly CallRecord[], run: RunRecord, endsAt: number): number {
  const next = calls.find(({ at }) => at >= endsAt)?.at ?? Infinity;
  return Math.min(next, run.closedAt ?? Infinity, Infinity);
}
