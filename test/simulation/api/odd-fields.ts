import type { Draw } from '../time/draw.js';
import { holdersOf, openFieldsOf, type OpenField } from './answer-fields.js';
import { isRow, rowsOf } from './api-answer.js';
import type { ApiCall } from './api-call.js';
import type { Changed, JsonAnswer, Odd, OddityOptions } from './oddity.js';

/**
 * Here null says something: nothing is attached, nothing is locked. To show null instead of what is there would be a
 * wrong answer, and no answer with a gap.
 */
const NULL_IS_A_STATEMENT: ReadonlySet<string> = new Set([
  'task_id',
  'task_state',
  'port_id',
  'fixed_ip_address',
  'instance',
  'ddos_profile',
]);

interface Gap {
  field: OpenField;
  kind: 'null' | 'missing';
  /** Only in the row with this id or key. */
  row: unknown;
}

const GAPS = [
  {
    strike: 'null field',
    kind: 'null',
    may: (field: OpenField) => field.mayBeNull && !isStatement(field),
  },
  { strike: 'missing field', kind: 'missing', may: (field: OpenField) => field.mayBeMissing },
] as const;

/** Fields that the documents let be null or missing: once, or from then on in all answers of the kind. */
export function oddFields({ chaos }: OddityOptions): Odd {
  const gaps = new Map<string, Gap[]>();
  const isOn = GAPS.some(({ strike }) => chaos.isOn(strike));
  const openNew = (answer: JsonAnswer, { strike, kind, may }: (typeof GAPS)[number]): Gap[] => {
    const { method, template, occasion } = answer.call;
    if (!chaos.isOn(strike)) return [];
    const fields = openFieldsOf(method, template).filter(
      (field) => may(field) && holdersOf(answer.json, field).length > 0,
    );
    const draw = fields.length === 0 ? undefined : chaos.strikes(strike, occasion);
    if (draw === undefined) return [];
    const field = draw.pick(fields);
    const row = draw.chance(0.3) ? drawRow(draw, answer.json, field) : undefined;
    const gap = { field, kind, row };
    const key = `${method} ${template}`;
    // Half of them are there once, in this answer.
    if (draw.chance(0.5) && !isVital(answer.call, field))
      gaps.set(key, [...(gaps.get(key) ?? []), gap]);
    return [gap];
  };
  return {
    changes: ({ method, template }) => isOn && openFieldsOf(method, template).length > 0,
    change(answer): Changed | undefined {
      const { method, template } = answer.call;
      const known = gaps.get(`${method} ${template}`) ?? [];
      const made = [...known, ...GAPS.flatMap((gap) => openNew(answer, gap))].filter((gap) =>
        makeGap(answer.json, gap),
      );
      if (made.length === 0) return undefined;
      return { json: answer.json, says: made.map(describe).join(', ') };
    },
  };
}

/** Where it never came, no look could tell whether an address is protected. */
function isVital({ template }: Pick<ApiCall, 'template'>, { path }: OpenField): boolean {
  return template === '/cloud/v1/ddos/profiles/…/…' && path === 'results[].status';
}

function isStatement({ steps }: OpenField): boolean {
  return NULL_IS_A_STATEMENT.has(steps.at(-1) ?? '');
}

/** A row that has the field; undefined where the answer is no list. */
function drawRow(draw: Draw, json: unknown, field: OpenField): unknown {
  const rows = (rowsOf(json) ?? []).filter((row) => holdersIn(json, field, idOf(row)).length > 0);
  return rows.length === 0 ? undefined : idOf(draw.pick(rows));
}

function idOf(row: unknown): unknown {
  return isRow(row) ? (row['id'] ?? row['key']) : undefined;
}

function holdersIn(json: unknown, { steps }: OpenField, id: unknown) {
  const rows = rowsOf(json);
  if (id === undefined || rows === undefined) return holdersOf(json, { steps });
  const below = steps.slice(steps.indexOf('[]') + 1);
  return rows.filter((row) => idOf(row) === id).flatMap((row) => holdersOf(row, { steps: below }));
}

/** Whether anything changed. */
function makeGap(json: unknown, { field, kind, row }: Gap): boolean {
  const holders = holdersIn(json, field, row);
  const name = field.steps.at(-1) ?? '';
  for (const holder of holders) {
    if (kind === 'null') holder[name] = null;
    else Reflect.deleteProperty(holder, name);
  }
  return holders.length > 0;
}

function describe({ field, kind, row }: Gap): string {
  return `${field.path} IS ${kind.toUpperCase()}${row === undefined ? '' : ' IN ONE ROW'}`;
}
