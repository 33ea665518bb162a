import type { Operation } from '../../../../src/contract/wire/names.js';
import type { SimulatorState } from '../../../../src/simulator/index.js';
import type { RunRecord } from '../../world/records.js';
import type { Act, Facts } from '../facts/facts.js';
import type { InputOf, ResultOf } from '../facts/operations.js';
import type { RowRef } from '../facts/rows.js';
import { saysUnknown, type NamedResource } from '../facts/status.js';

/** What a run may do to something that its own request has not made. */
export interface Permit extends RowRef {
  may: 'change' | 'delete';
  /** Only these; all that its calls change when left out. */
  fields?: readonly string[];
}

/** What a run may touch is judged on the cloud as it was, now or at its last look. */
export interface Asked<O extends Operation> {
  workflowId: string;
  input: InputOf<O>;
  cloud: SimulatorState;
  /** The cloud in which its first run began, and as it was since. */
  since: readonly SimulatorState[];
  /** Whether a request has made it, in this world or by the tag on it. */
  isOf: (workflowId: string, row: RowRef & { tags?: Readonly<Record<string, string>> }) => boolean;
  /** Of the call that is judged. */
  body: unknown;
}

/** Something that is not as it was promised. */
export interface Broken {
  /** What is seen and what should be, as a clause. */
  says: string;
  /** What it rests on: who else has changed that excuses it. */
  about: readonly (RowRef & { fields?: readonly string[] })[];
  /** It compares with how it was when the run began, so a change since then excuses it. */
  sinceStart?: true;
}

export interface Ended<O extends Operation> {
  input: InputOf<O>;
  run: RunRecord;
  /** At its end. */
  cloud: SimulatorState;
  /** When the run began. */
  atStart: SimulatorState;
  /** What the request has done, its parts included. */
  own: readonly Act[];
  facts: Facts;
}

export interface Succeeded<O extends Operation> extends Ended<O> {
  result: ResultOf<O>;
}

export interface Undoing<O extends Operation> extends Ended<O> {
  named: readonly NamedResource[];
}

/** What an operation promises, as the cloud must show it. */
export interface OperationPromise<O extends Operation> {
  /** What it may touch beside what its request has made. */
  touches: (asked: Asked<O>) => readonly Permit[];
  /** What of a success is not true. */
  broken: (ended: Succeeded<O>) => readonly Broken[];
  /** What a failed or cancelled run has changed, not put back and not named, beside what it has made. */
  notRestored?: (ended: Undoing<O>) => readonly Broken[];
  /** Requests of a run that meets nothing. */
  requests: number;
  /** Minutes after the last fault in which a run ends that waits for nobody. */
  minutes: number;
  /** Kinds of tasks or calls that do it again when they are repeated: at most one is carried out for each run. */
  once?: readonly string[];
}

/** A row that another one may have changed. */
export function about(
  rows: RowRef['rows'],
  id: string | number,
  ...fields: string[]
): Broken['about'] {
  return [{ rows, id: String(id), ...(fields.length > 0 && { fields }) }];
}

export function when(isBroken: boolean, says: string, rows: Broken['about']): Broken[] {
  return isBroken ? [{ says, about: rows }] : [];
}

export const NOTHING = (): never[] => [];

/** When this was asked for first: what a run has sent that was cut short, or ended before it was verified, is of the same request. */
export function askedSince(facts: Facts, { workflowId, startedAt }: RunRecord): number {
  const cutShort = facts
    .runsOf(workflowId)
    .filter((run) => run.state === 'terminated' || (isOver(run) && saysUnknown(run)));
  return Math.min(startedAt, ...cutShort.map((run) => run.startedAt));
}

function isOver({ state }: RunRecord): boolean {
  return state === 'failed' || state === 'cancelled';
}
