/**
 * The fields that this version knows of what runs record and hand over. A run with another field was prepared by a
 * newer version, and decides in a way that this one does not know.
 */
import type { PreparedRun, PreparedSender } from './prepared-run.js';
import type { PollPolicy, RunPolicy, TypicalDuration } from './run-policy.js';

/** The fields of an object. `true`: what it holds is not looked at, because callers choose it or it has no fields. */
export type Known = true | KnownFields;
export interface KnownFields {
  readonly [field: string]: Known;
}

/** Stands for every name, in an object whose names are data. */
const ANY_NAME = '*';

/** All fields of `T`, so that a forgotten one does not compile. Of a union, those of every member. */
export type FieldsOf<T> = Readonly<Record<NamesOf<T>, Known>>;
type NamesOf<T> = T extends unknown ? keyof T : never;

const DURATION = {
  firstMs: true,
  usualMs: true,
  shareOfElapsed: true,
  giveUpMs: true,
} as const satisfies FieldsOf<TypicalDuration>;

const POLL = {
  minMs: true,
  maxMs: true,
  shareOfElapsed: true,
  looksByTimer: true,
  typical: { [ANY_NAME]: DURATION },
  otherwise: DURATION,
} as const satisfies FieldsOf<PollPolicy>;

const POLICY = {
  reconcileGraceMs: true,
  poll: POLL,
  traceTasks: true,
  watcher: true,
  longestRetryMs: true,
  freshMs: true,
  probeMs: true,
  mostEvents: true,
  mostUpdates: true,
  searchAttributes: true,
} as const satisfies FieldsOf<RunPolicy>;

export const RUN_FIELDS = {
  account: true,
  onFailure: true,
  onBlocked: true,
  planOnly: true,
  deadlineMs: true,
  policy: POLICY,
  priorityKey: true,
  notify: true,
} as const satisfies FieldsOf<PreparedRun>;

export const SENDER_FIELDS = {
  ...RUN_FIELDS,
  cutShortAt: true,
  marker: true,
  maker: true,
} as const satisfies FieldsOf<PreparedSender>;

/** The paths of the fields in `value` that are not among the known ones. */
export function unknownFields(value: unknown, known: Known, path = ''): string[] {
  if (known === true || !(value instanceof Object)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = Object.hasOwn(known, name) ? known[name] : known[ANY_NAME];
    const at = path === '' ? name : `${path}.${name}`;
    // JSON knows no `undefined`: such a field is not recorded.
    if (inner === undefined) return [];
    return field === undefined ? [at] : unknownFields(inner, field, at);
  });
}
