import { isoOf } from '../../../contract/iso-of.js';
import type { Operation } from '../../../contract/names.js';
import { Phase, StepState } from '../../../contract/status.js';
import type { Resource } from '../../../contract/resource.js';
import type {
  Blocked,
  StatusDocument,
  StepStatus,
  Waiting,
} from '../../../contract/status-document.js';

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
  /** Steps that only some runs have, after all others. Those that are there already stay. */
  addSteps(names: readonly string[]): void;
  /** From now on, what goes wrong goes wrong in this step. */
  begin(stepName: string): void;
  setPhase(phase: Phase): void;
  /** While a wait is set, the phase reads `waiting`. */
  setWaiting(waiting: Waiting | undefined): void;
  /** While any part of the run (`by`) is blocked, the phase reads `blocked`. */
  setBlocked(by: object, blocked: Blocked | undefined): void;
  setPaused(isPaused: boolean): void;
  /** When the run as a whole gives up, ISO 8601. */
  setDeadline(deadline: string | undefined): void;
  /** Everything the run made or adopted and has not verified as gone. */
  resources(): Resource[];
  /** The step that was touched last: where a failure happened. */
  currentStep(): string | undefined;
  /** Why the run accepts no corrected input any more; `undefined` while it does. */
  whyTooLate(): string | undefined;
}

/** What a ledger knows of its run from the beginning. */
export interface RunSteps {
  operation: Operation;
  /** Names of the steps, in order: what a person sees before anything has happened. */
  steps: readonly string[];
  /**
   * The step that makes what the input describes. Once it has sent a call, another input comes too
   * late. Without such a step the run makes nothing and accepts another input at any time.
   */
  creatingStep?: string;
}

const ENDED: ReadonlySet<StepState> = new Set([
  StepState.verified,
  StepState.failed,
  StepState.undone,
  StepState.kept,
]);

/** @param onChange called after each change, to publish the document. */
export function createLedger(run: RunSteps, onChange: (document: StatusDocument) => void): Ledger {
  const steps = run.steps.map(plannedStep);
  const blocks = new Map<object, Blocked>();
  const holds: Holds = { phase: Phase.running, isPaused: false };
  let current: string | undefined;

  const document = (): StatusDocument => {
    const [blocked] = blocks.values();
    return toDocument(run, steps, { ...holds, blocked });
  };
  const changed = (): void => {
    onChange(document());
  };
  const setter =
    <K extends keyof Holds>(key: K) =>
    (value: Holds[K]): void => {
      holds[key] = value;
      changed();
    };

  return {
    document,
    step: (name) =>
      recorderOf(findStep(steps, name), () => {
        current = name;
        changed();
      }),
    addSteps(names) {
      const isNew = (name: string) => !steps.some((step) => step.name === name);
      steps.push(...names.filter(isNew).map(plannedStep));
    },
    begin: (stepName) => {
      current = stepName;
    },
    setPhase: setter('phase'),
    setWaiting: setter('waiting'),
    setPaused: setter('isPaused'),
    setDeadline: setter('deadline'),
    setBlocked(by, blocked) {
      if (blocked !== undefined) blocks.set(by, blocked);
      else if (!blocks.delete(by)) return;
      changed();
    },
    resources: () => steps.flatMap((step) => step.resources),
    currentStep: () => current,
    whyTooLate: () => whyTooLate(run, steps),
  };
}

function plannedStep(name: string): StepStatus {
  return { name, state: StepState.planned, taskIds: [], resources: [] };
}

function recorderOf(status: StepStatus, onSet: () => void): StepRecorder {
  return {
    name: status.name,
    get state() {
      return status.state;
    },
    set(state, facts = {}) {
      Object.assign(status, { state, startedAt: status.startedAt ?? isoOf(Date.now()) }, facts);
      // A step that ended may be taken up again, by a rollback.
      if (ENDED.has(state)) status.endedAt = isoOf(Date.now());
      else delete status.endedAt;
      onSet();
    },
  };
}

/** States of a step that has made nothing. */
const NOTHING_MADE: ReadonlySet<StepState> = new Set([StepState.planned, StepState.failed]);

function toDocument(
  run: RunSteps,
  steps: readonly StepStatus[],
  holds: Holds & { blocked: Blocked | undefined },
): StatusDocument {
  const { waiting, blocked, deadline } = holds;
  const phase = visiblePhase(holds, blocked);
  const isHeld = phase === Phase.paused || phase === Phase.blocked;
  return {
    version: 1,
    operation: run.operation,
    phase,
    steps: steps.map((step) => ({ ...step })),
    ...(waiting && { waiting: withDeadline(waiting, deadline) }),
    ...(blocked && { blocked: withDeadline(blocked, deadline) }),
    ...(isHeld && { acceptsInput: whyTooLate(run, steps) === undefined }),
  };
}

function whyTooLate({ creatingStep }: RunSteps, steps: readonly StepStatus[]): string | undefined {
  if (creatingStep === undefined) return undefined;
  if (NOTHING_MADE.has(findStep(steps, creatingStep).state)) return undefined;
  return `The step "${creatingStep}" has been sent: another input cannot change what it makes.`;
}

/** What holds a run up, or where it is. */
interface Holds {
  phase: Phase;
  isPaused: boolean;
  waiting?: Waiting | undefined;
  deadline?: string | undefined;
}

/** What keeps an open run from going on is what a person has to see first. */
function visiblePhase({ phase, isPaused, waiting }: Holds, blocked: Blocked | undefined): Phase {
  if (phase !== Phase.running && phase !== Phase.rollingBack) return phase;
  if (blocked !== undefined) return Phase.blocked;
  if (isPaused) return Phase.paused;
  return waiting !== undefined && phase === Phase.running ? Phase.waiting : phase;
}

/** A wait ends at its own deadline or at that of the run, whichever comes first. */
function withDeadline<T extends { deadline?: string | undefined }>(
  held: T,
  ofRun: string | undefined,
): T {
  const [deadline] = [held.deadline, ofRun].filter((time) => time !== undefined).sort();
  return deadline === undefined ? held : { ...held, deadline };
}

function findStep(steps: readonly StepStatus[], name: string): StepStatus {
  const step = steps.find((candidate) => candidate.name === name);
  if (step === undefined) throw new TypeError(`the operation has no step "${name}"`);
  return step;
}
