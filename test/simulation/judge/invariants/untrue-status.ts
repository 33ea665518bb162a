import type { Finding, RunRecord } from '../../world/records.js';
import type { Facts } from '../facts/facts.js';
import { phaseOf, stepsOf } from '../facts/status.js';
import { at, isRecord, numberAt, textAt } from '../facts/values.js';
import { isOperation } from '../facts/operations.js';
import { findingOf } from './findings.js';

const PHASES: Readonly<Partial<Record<RunRecord['state'], string>>> = {
  completed: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Steps of an ended run that still go on. */
const OPEN_STEPS: readonly (string | undefined)[] = ['sending', 'accepted', 'waiting'];
const COUNTS = ['asked', 'succeeded', 'failed', 'pending', 'untried'] as const;

/** What the status of an ended run says agrees with its end. */
export function untrueStatus(facts: Facts): Finding[] {
  return facts.evidence.runs.flatMap((run) => {
    const wanted = PHASES[run.state];
    const isJudged = wanted !== undefined && isRecord(run.status) && isOperation(run.operation);
    if (!isJudged || at(run.input, 'planOnly') === true) return [];
    return [...judgePhase(run, wanted), ...judgeSteps(run), ...judgeCounts(run)];
  });
}

function judgePhase(run: RunRecord, wanted: string): Finding[] {
  const phase = phaseOf(run);
  if (phase === wanted) return [];
  return [
    findingOf(
      'untrue status',
      run,
      `it is ${run.state}, and its status says "${phase ?? 'nothing'}"`,
    ),
  ];
}

function judgeSteps(run: RunRecord): Finding[] {
  const open = stepsOf(run).find((step) => OPEN_STEPS.includes(textAt(step, 'state')));
  const left = ['waiting', 'blocked'].find((name) => at(run.status, name) !== undefined);
  return [
    ...(open === undefined
      ? []
      : [
          findingOf(
            'untrue status',
            run,
            `it has ended, and its step "${textAt(open, 'name') ?? ''}" is ${textAt(open, 'state') ?? ''}`,
          ),
        ]),
    ...(left === undefined
      ? []
      : [findingOf('untrue status', run, `it has ended, and its status still has "${left}"`)]),
  ];
}

function judgeCounts(run: RunRecord): Finding[] {
  const items = at(run.status, 'items');
  if (!isRecord(items)) return [];
  const [asked = 0, ...parts] = COUNTS.map((name) => numberAt(items, name) ?? 0);
  const isSum = parts.reduce((sum, count) => sum + count, 0) === asked;
  const counts = at(run.result, 'counts');
  const isSame =
    !isRecord(counts) || COUNTS.every((name) => numberAt(counts, name) === numberAt(items, name));
  return [
    ...(isSum
      ? []
      : [
          findingOf(
            'untrue status',
            run,
            `the counts of its status do not add up: ${JSON.stringify(items).slice(0, 200)}`,
          ),
        ]),
    ...(isSame
      ? []
      : [findingOf('untrue status', run, 'the counts of its status and of its result differ')]),
  ];
}
