import type { Operation } from '../../contract/names.js';
import { Phase, StepState } from '../../contract/status.js';
import type {
  Resource,
  StatusDocument,
  StepStatus,
  Waiting,
} from '../../contract/status-document.js';

/** What one step tells the ledger. Each call replaces what it names and keeps the rest. */
export interface StepRecorder {
  readonly name: string;
  readonly state: StepState;
  set(state: StepState, facts?: StepFacts): void;
}

export type StepFacts = Partial<Pick<StepStatus, 'taskIds' | 'resources' | 'note'>>;

/** The truth about one run: what was intended, sent, made, verified, undone, and what is waited for. */
export interface Ledger {
  document(): StatusDocument;
  step(name: string): StepRecorder;
  setPhase(phase: Phase): void;
  /** While a wait is set, the phase reads `waiting`. */
  setWaiting(waiting: Waiting | undefined): void;
  /** Everything the run made or adopted and has not verified as gone. */
  resources(): Resource[];
  /** The step that was touched last: where a failure happened. */
  currentStep(): string | undefined;
}

const ENDED: ReadonlySet<StepState> = new Set([
  StepState.verified,
  StepState.failed,
  StepState.undone,
  StepState.kept,
]);

/** @param onChange called after each change, to publish the document. */
export function createLedger(
  operation: Operation,
  stepNames: readonly string[],
  onChange: (document: StatusDocument) => void,
): Ledger {
  const steps = stepNames.map((name): StepStatus => ({
    name,
    state: StepState.planned,
    taskIds: [],
    resources: [],
  }));
  let phase: Phase = Phase.running;
  let waiting: Waiting | undefined;
  let current: string | undefined;

  const document = (): StatusDocument => ({
    version: 1,
    operation,
    phase: waiting !== undefined && phase === Phase.running ? Phase.waiting : phase,
    steps: steps.map((step) => ({ ...step })),
    ...(waiting === undefined ? {} : { waiting }),
  });
  const changed = (): void => {
    onChange(document());
  };

  return {
    document,
    step: (name) => {
      const status = findStep(steps, name);
      return {
        name,
        get state() {
          return status.state;
        },
        set(state, facts = {}) {
          current = name;
          Object.assign(status, { state, startedAt: status.startedAt ?? now() }, facts);
          // A step that ended may be taken up again, by a rollback.
          if (ENDED.has(state)) status.endedAt = now();
          else delete status.endedAt;
          changed();
        },
      };
    },
    setPhase(next) {
      phase = next;
      changed();
    },
    setWaiting(next) {
      waiting = next;
      changed();
    },
    resources: () => steps.flatMap((step) => step.resources),
    currentStep: () => current,
  };
}

function findStep(steps: readonly StepStatus[], name: string): StepStatus {
  const step = steps.find((candidate) => candidate.name === name);
  if (step === undefined) throw new TypeError(`the operation has no step "${name}"`);
  return step;
}

function now(): string {
  return new Date().toISOString();
}
