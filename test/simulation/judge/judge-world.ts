import type { Evidence, Finding } from '../world/records.js';
import { createFacts, type Facts } from './facts/facts.js';
import { doneTwice } from './invariants/done-twice.js';
import { comparedWhole } from './invariants/compared-whole.js';
import { didNotEnd } from './invariants/did-not-end.js';
import { escapedGroup } from './invariants/escaped-group.js';
import { falseAbsence } from './invariants/false-absence.js';
import { falseError } from './invariants/false-error.js';
import { falseSuccess } from './invariants/false-success.js';
import { learnedLate } from './invariants/learned-late.js';
import { notAsked } from './invariants/not-asked.js';
import { notUndone } from './invariants/not-undone.js';
import { overBudget } from './invariants/over-budget.js';
import { strangerChanged } from './invariants/stranger-changed.js';
import { doesNotReplay, lostRun, secretTold } from './invariants/texts.js';
import { twoAlive } from './invariants/two-alive.js';
import { untrueStatus } from './invariants/untrue-status.js';

/** What must hold in every world, each stated once for all operations. */
const INVARIANTS: readonly ((facts: Facts) => readonly Finding[])[] = [
  twoAlive,
  doneTwice,
  strangerChanged,
  comparedWhole,
  notAsked,
  escapedGroup,
  falseSuccess,
  falseAbsence,
  falseError,
  notUndone,
  didNotEnd,
  learnedLate,
  untrueStatus,
  overBudget,
  doesNotReplay,
  secretTold,
  lostRun,
];

/** Judges a world from the cloud's side. Never throws: what it cannot judge is a finding too. */
export function judgeWorld(evidence: Evidence): Finding[] {
  const facts = tried('facts', () => [createFacts(evidence)]);
  const found = facts.flatMap((each) =>
    'invariant' in each
      ? [each]
      : INVARIANTS.flatMap((judge) => tried(judge.name, () => judge(each))),
  );
  return withoutTwins(found);
}

function tried<T>(name: string, judge: () => readonly T[]): (T | Finding)[] {
  try {
    return [...judge()];
  } catch (error) {
    const says = `The judge cannot judge "${name}": ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    return [{ invariant: 'cannot judge', workflowId: undefined, says }];
  }
}

function withoutTwins(findings: readonly Finding[]): Finding[] {
  const byText = new Map(
    findings.map((each) => [`${each.invariant} ${each.workflowId} ${each.says}`, each]),
  );
  return [...byText.values()];
}
