import { isoOf } from '../core/times.js';
import { StepState } from '../core/status.js';
import type { StepStatus } from '../schema/status-document.js';

/** Records one step. */
export interface StepRecorder {
  readonly name: string;
  readonly state: StepState;
  /** Replaces the fields that it names and keeps the others. A note goes with its attempt: see `keepsNote`. */
  set(state: StepState, facts?: StepFacts): void;
}

type StepFacts = Partial<Pick<StepStatus, 'taskIds' | 'resources' | 'note'>> & {
  /** What else the run can be searched by, such as an address. */
  alsoKnownAs?: readonly string[];
};

const ENDED: ReadonlySet<StepState> = new Set([
  StepState.verified,
  StepState.failed,
  StepState.undone,
  StepState.kept,
]);

/** A step, and what its document does not show. */
export interface RecordedStep extends StepStatus {
  /** The state that the note came with; the present one when an earlier history has noted it. */
  noteOf?: StepState;
  alsoKnownAs?: readonly string[];
}

export function plannedStep(name: string): RecordedStep {
  return { name, state: StepState.planned, taskIds: [], resources: [] };
}

export function shownStep(recorded: RecordedStep): StepStatus {
  const step = { ...recorded };
  delete step.noteOf;
  delete step.alsoKnownAs;
  return step;
}

/** States that prove what was done. Their note tells of it; that of another state tells of one attempt. */
const PROVEN: ReadonlySet<StepState> = new Set([
  StepState.accepted,
  StepState.verified,
  StepState.undone,
  StepState.kept,
]);

/**
 * Whether the note still holds in the next state, when that brings none of its own: "refused by the API"
 * ends with its attempt, "found again by its marker" holds until another attempt begins.
 */
function keepsNote({ state, noteOf = state }: RecordedStep, next: StepState): boolean {
  if (next === StepState.sending) return false;
  return next === state || PROVEN.has(noteOf);
}

export function recorderOf(status: RecordedStep, onSet: () => void): StepRecorder {
  return {
    name: status.name,
    get state() {
      return status.state;
    },
    set(state, facts = {}) {
      if (facts.note !== undefined) status.noteOf = state;
      else if (!keepsNote(status, state)) delete status.note;
      Object.assign(status, { state, startedAt: status.startedAt ?? isoOf(Date.now()) }, facts);
      // A rollback may take up a step that has ended.
      if (ENDED.has(state)) status.endedAt = isoOf(Date.now());
      else delete status.endedAt;
      onSet();
    },
  };
}
