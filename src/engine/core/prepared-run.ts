import type { RunPolicy, PollPolicy, TypicalDuration } from './run-policy.js';
import type { Labels } from './labels.js';
import type { WebhookTarget } from './webhooks.js';

/** What the worker adds to an input: defaults and how to wait. It never repeats the body. */
export interface PreparedRun {
  account: string;
  /** Missing when a run creates nothing that could be removed or kept. */
  onFailure?: 'rollback' | 'keep';
  onBlocked: 'wait' | 'fail';
  /** The run changes nothing: its result says what it would do. */
  planOnly?: true;
  /** Counted from the start of the run. */
  deadlineMs?: number;
  policy: RunPolicy;
  /** Temporal's priority key for the calls of a run that was started without one. */
  priorityKey?: number;
  labels?: Labels;
  /** Who is told about the run; missing when nobody is. */
  notify?: WebhookTarget[];
}

/** A run whose calls would happen twice if they were repeated. The marker finds what they made. */
export interface PreparedSender extends PreparedRun {
  onFailure: 'rollback' | 'keep';
  /** When an earlier run of this id was terminated, timed out or reset: one of its calls may still be in flight. */
  cutShortAt?: number;
  marker: string;
  /** This run, as its tag on resources names it. */
  maker: string;
}

/** A run whose call would happen again if it were repeated, and leaves no marker. */
export interface PreparedChange extends PreparedRun {
  /** When an earlier run of this id was terminated: one of its calls may still be in flight. */
  cutShortAt?: number;
  /** When the first run of this id began, where one was cut short. It may have sent the call. */
  since?: number;
}

/** What a run tells the activity that prepares it. All times are of the Temporal server's clock. */
export interface FirstEvent {
  /** The Run Id that the first event of the history names. A reset copies it from the run that it ends. */
  runId: string;
  /** When that event was written, in milliseconds since the epoch. */
  at: number;
  /**
   * The time of the run, in milliseconds since the epoch. The activity cannot know it: what the SDK says about a local
   * activity are times of the worker, whose clock may be hours off.
   */
  now: number;
  /** When the run before it was cut short, as far as who started it knew. */
  cutShortAt?: number;
  /** Run Id of the run of its Workflow Id before it, which has ended, as far as who started it knew. */
  ranBefore?: string;
  /** Of another input, for a run that goes on: what it was asked for before a reset, it may have sent. */
  isCorrection?: true;
}

/**
 * The fields of an object that this version knows. A run with another field was prepared by a newer version, and decides
 * in a way that this one does not know. `true`: what it holds is not looked at, because callers choose it or it
 * has no fields.
 */
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
  labels: true,
  notify: true,
} as const satisfies FieldsOf<PreparedRun>;

export const CHANGE_FIELDS = {
  ...RUN_FIELDS,
  cutShortAt: true,
  since: true,
} as const satisfies FieldsOf<PreparedChange>;

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
