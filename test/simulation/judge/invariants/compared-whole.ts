import type { SimulatorState } from '../../../../src/simulator/index.js';
import type { Finding } from '../../world/records.js';
import type { Facts } from '../facts/facts.js';
import {
  type Effect,
  isAlive,
  nameOf,
  ROW_KINDS,
  type RowKind,
  type RowRef,
  type Rows,
} from '../facts/rows.js';
import { isSame } from '../facts/values.js';
import { effectsOfTask } from '../facts/task-effects.js';

/** Every task and every change writes them. */
const NEVER_COUNTED: ReadonlySet<string> = new Set([
  'taskId',
  'updatedAt',
  'stale',
  'settledAt',
  'creatorTaskId',
  'change',
  'revision',
]);

/** What is no row of anybody: tasks are how calls work. */
const NOT_COMPARED: ReadonlySet<RowKind> = new Set<RowKind>(['tasks', 'kvEntries', 'subtitles']);

/**
 * All rows of before and after, compared whole: what differs has been changed by a call that is known, or by a task that
 * was running before. Whether the sender of that call was allowed to is judged call by call.
 */
export function comparedWhole(facts: Facts): Finding[] {
  const { before, after } = facts.evidence;
  const ofBefore = before.tasks
    .filter(({ settled }) => !settled)
    .flatMap((task) => effectsOfTask(task, before));
  return ROW_KINDS.filter((rows) => !NOT_COMPARED.has(rows)).flatMap((rows) =>
    differencesOf(rows, before, after)
      .filter((difference) => !isExplained(facts, difference, ofBefore))
      .map(({ id, what }) => ({
        invariant: 'stranger changed',
        workflowId: undefined,
        says: `${nameOf(rows)} ${what}, and no call that is known has done it: ${id}`,
      })),
  );
}

interface Difference extends RowRef {
  does: Effect['does'];
  fields: readonly string[];
  what: string;
}

function differencesOf(rows: RowKind, before: SimulatorState, after: SimulatorState): Difference[] {
  const old: readonly Rows[RowKind][] = before[rows];
  const now = new Map<string, Rows[RowKind]>(
    after[rows].map((row): [string, Rows[RowKind]] => [row.id, row]),
  );
  const changed = old.flatMap((row): Difference[] => {
    const next = now.get(row.id);
    now.delete(row.id);
    if (isAlive(row) && !isAlive(next))
      return [{ rows, id: row.id, does: 'deletes', fields: [], what: 'is gone' }];
    const fields = next === undefined ? [] : fieldsOf(row, next);
    if (fields.length === 0) return [];
    return [
      { rows, id: row.id, does: 'changes', fields, what: `has changed in ${fields.join(', ')}` },
    ];
  });
  const made = [...now.keys()].map((id): Difference => ({
    rows,
    id,
    does: 'makes',
    fields: [],
    what: 'is new',
  }));
  return [...changed, ...made];
}

function fieldsOf(row: object, next: object): string[] {
  const now = new Map<string, unknown>(Object.entries(next));
  return Object.entries(row).flatMap(([name, value]: [string, unknown]) =>
    NEVER_COUNTED.has(name) || isSame(value, now.get(name)) ? [] : [name],
  );
}

function isExplained(
  facts: Facts,
  { rows, id, does, fields }: Difference,
  ofBefore: readonly Effect[],
): boolean {
  const ofCalls = facts.actsOn({ rows, id }).flatMap((act) => act.effects);
  const effects = [...ofCalls, ...ofBefore].filter(
    (effect) => effect.rows === rows && effect.id === id,
  );
  if (does !== 'changes') return effects.some((effect) => effect.does === does);
  return fields.every((field) =>
    effects.some((effect) => effect.fields === undefined || effect.fields.includes(field)),
  );
}
