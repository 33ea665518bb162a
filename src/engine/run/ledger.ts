import { isoOf } from '../core/times.js';
import type { Labels } from '../core/labels.js';
import { Phase, StepState, type ItemCounts, type Resource } from '../core/status.js';
import type {
  Asked,
  Blocked,
  ItemsStatus,
  KnownFailure,
  StatusDocument,
  StepStatus,
  Waiting,
  WebhooksStatus,
} from '../schema/status-document.js';
import { createAskedLog, type AskedLog } from './asked-log.js';
import { endedStatus, isEndPhase, fitStatus } from './fit-status.js';
import { shownBlock } from './shown-block.js';
import {
  plannedStep,
  recorderOf,
  shownStep,
  type RecordedStep,
  type StepRecorder,
} from './step-recorder.js';

export type { StepRecorder } from './step-recorder.js';

/** The state of one run: what was planned, sent, made, verified and undone, and what it waits for. */
export interface Ledger {
  document(): StatusDocument;
  step(name: string): StepRecorder;
  /** Adds steps that only some runs have, after all others. Known names are ignored. */
  addSteps(names: readonly string[]): void;
  /** Makes this the current step: a failure from now on happened in it. */
  begin(stepName: string): void;
  /** The end of a run closes its open steps. */
  setPhase(phase: Phase): void;
  /** While a wait is set, the phase is `waiting`. */
  setWaiting(waiting: Waiting | undefined): void;
  /** How many items of a bulk run ended in which way. @param since when the first one began; milliseconds since the epoch */
  setItems(counts: ItemCounts, since?: number): void;
  /** While any part of the run (`by`) is blocked, the phase is `blocked`. With `nextCheckAt`, it also tries by itself. */
  setBlocked(by: object, blocked: Blocked | undefined): void;
  setPaused(isPaused: boolean): void;
  /** Why the run fails, or why its next try comes after a removal; without `step` or time. */
  setFailure(failure: FailureText | undefined): void;
  /** What was asked of the run, and by whom. */
  readonly asked: AskedLog;
  /** What receivers were told about the run. */
  setWebhooks(webhooks: WebhooksStatus): void;
  /** When the run as a whole gives up, in ISO 8601. */
  setDeadline(deadline: string | undefined): void;
  /** Everything that the run made or adopted and has not verified as gone. */
  resources(): Resource[];
  /** What the run can be searched by: the ids of its resources first. */
  searchable(): string[];
  /** The step that began or changed last: a failure happened there. */
  currentStep(): string | undefined;
  /** Why the run accepts no corrected input any more; `undefined` while it does. */
  whyTooLate(): string | undefined;
}

export type FailureText = Omit<KnownFailure, 'since' | 'step'>;

/** What is known about a run before it begins. */
export interface RunSteps {
  operation: string;
  /** Names of the steps in their order: the status shows them before anything has happened. */
  steps: readonly string[];
  /** The steps as an earlier history of the same run has left them. */
  earlierSteps?: readonly StepStatus[];
  /** Who started the run, and what an earlier history of it was asked. */
  earlierAsked?: readonly Asked[];
  /** Those of the input; they may come later than the ledger, and change with a corrected input. */
  labels?: () => Labels | undefined;
  /**
   * The step that makes what the input describes. Once it has sent a call, another input comes too
   * late. Without such a step the run makes nothing and accepts another input at any time.
   */
  creatingStep?: string;
}

/** @param onChange called after each change, to publish the document. */
export function createLedger(run: RunSteps, onChange: (document: StatusDocument) => void): Ledger {
  const { earlierSteps = run.steps.map(plannedStep) } = run;
  const steps = earlierSteps.map((step): RecordedStep => ({ ...step }));
  const blocks = new Map<object, Blocked>();
  const situation: Situation = { phase: Phase.running, phaseSince: '', isPaused: false };
  let current: string | undefined;

  const document = (): StatusDocument => {
    // The innermost one: a part that was blocked tries again, and something in it is blocked now.
    const blocked = [...blocks.values()].at(-1);
    return fitStatus(toDocument(run, steps, { ...situation, blocked, asked: asked.list() }));
  };
  const changed = (): void => {
    onChange(document());
  };
  const asked = createAskedLog(run.earlierAsked, changed);
  const setter =
    <K extends keyof Situation>(key: K) =>
    (value: Situation[K]): void => {
      situation[key] = value;
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
    setPhase(phase) {
      Object.assign(situation, { phase, phaseSince: isoOf(Date.now()) });
      changed();
    },
    setWaiting: setter('waiting'),
    setPaused: setter('isPaused'),
    setItems(counts, since) {
      situation.items = { ...counts, ...(since !== undefined && { since: isoOf(since) }) };
      changed();
    },
    setFailure(failure) {
      const step = current === undefined ? {} : { step: current };
      situation.failure = failure && { ...failure, since: isoOf(Date.now()), ...step };
      changed();
    },
    setDeadline: setter('deadline'),
    asked,
    setWebhooks: setter('webhooks'),
    setBlocked(by, blocked) {
      if (blocked !== undefined) blocks.set(by, blocked);
      else if (!blocks.delete(by)) return;
      changed();
    },
    resources: () => steps.flatMap((step) => step.resources),
    searchable: () => [
      ...steps.flatMap(({ resources }) => resources.map(({ id }) => id)),
      ...steps.flatMap(({ alsoKnownAs = [] }) => alsoKnownAs),
    ],
    currentStep: () => current,
    whyTooLate: () => whyTooLate(run, steps, situation),
  };
}

const UNDOES = 'The run undoes its work: another input cannot change what it makes.';

/** States of a step that has made nothing. */
const NOTHING_MADE: ReadonlySet<StepState> = new Set([StepState.planned, StepState.failed]);

function toDocument(
  run: RunSteps,
  steps: readonly RecordedStep[],
  situation: Situation & { blocked: Blocked | undefined; asked: readonly Asked[] },
): StatusDocument {
  const { waiting, blocked, failure, items, webhooks, deadline, asked, phaseSince } = situation;
  const labels = run.labels?.();
  const phase = visiblePhase(situation, blocked);
  const isHeld = phase === Phase.paused || phase === Phase.blocked;
  const document: StatusDocument = {
    version: 1,
    operation: run.operation,
    phase,
    steps: steps.map(shownStep),
    ...(waiting && { waiting: withDeadline(waiting, deadline) }),
    ...(blocked && {
      blocked: withDeadline(shownBlock(blocked, phase === Phase.paused), deadline),
    }),
    ...(failure && { failure }),
    ...(items && { items }),
    ...(webhooks && { webhooks }),
    ...(labels && { labels }),
    ...(asked.length > 0 && { asked: [...asked] }),
    ...(isHeld && { acceptsInput: whyTooLate(run, steps, situation) === undefined }),
  };
  return isEndPhase(phase) ? endedStatus(document, phase, phaseSince) : document;
}

function whyTooLate(
  { creatingStep }: RunSteps,
  steps: readonly StepStatus[],
  { phase }: Situation,
): string | undefined {
  if (phase === Phase.rollingBack) return UNDOES;
  if (creatingStep === undefined) return undefined;
  if (NOTHING_MADE.has(findStep(steps, creatingStep).state)) return undefined;
  return `The step "${creatingStep}" has been sent: another input cannot change what it makes.`;
}

/** Where a run is, and what it waits for. */
interface Situation {
  phase: Phase;
  /** In ISO 8601. */
  phaseSince: string;
  isPaused: boolean;
  waiting?: Waiting | undefined;
  failure?: KnownFailure | undefined;
  items?: ItemsStatus | undefined;
  webhooks?: WebhooksStatus | undefined;
  deadline?: string | undefined;
}

/** For an open run, the phase names what holds it up. */
function visiblePhase(
  { phase, isPaused, waiting }: Situation,
  blocked: Blocked | undefined,
): Phase {
  if (phase !== Phase.running && phase !== Phase.rollingBack) return phase;
  // A paused run tries nothing, whatever has blocked it.
  if (isPaused) return Phase.paused;
  if (blocked !== undefined) return Phase.blocked;
  return waiting !== undefined && phase === Phase.running ? Phase.waiting : phase;
}

/** A wait ends at its own deadline or at the run's, whichever comes first. */
function withDeadline<T extends { deadline?: string | undefined }>(
  wait: T,
  runDeadline: string | undefined,
): T {
  const [deadline] = [wait.deadline, runDeadline].filter((time) => time !== undefined).sort();
  return deadline === undefined ? wait : { ...wait, deadline };
}

function findStep<S extends StepStatus>(steps: readonly S[], name: string): S {
  const step = steps.find((candidate) => candidate.name === name);
  if (step === undefined) throw new TypeError(`the operation has no step "${name}"`);
  return step;
}
