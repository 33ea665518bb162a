import { condition, type ApplicationFailure } from '@temporalio/workflow';

import { FailureType } from '../core/failures.js';
import { anything, abortRequest, askedBy, resumeRequest } from '../core/guards/message-guards.js';
import { AskedFor, toIdentity, UNKNOWN_IDENTITY } from '../core/identity.js';
import {
  keyReplacedSignal,
  abortUpdate,
  pauseUpdate,
  resumeUpdate,
  type AbortRequest,
  type AskedBy,
  type ResumeRequest,
} from '../core/messages.js';
import { cutText } from '../core/text.js';
import { failure, failureOf } from './failures.js';
import { onSignal, onUpdate } from './on-message.js';
import { createDeadline, type WithDeadline } from './run-deadline.js';
import type { StatusDocument } from '../schema/status-document.js';

/** Whether the run is paused, and who has to know at once. */
export interface PauseState {
  isPaused: () => boolean;
  set: (isPaused: boolean) => void;
  /** The same for as long as something takes, without a word about it in the status. */
  during: <T>(act: () => Promise<T>) => Promise<T>;
  /** Resolves when the run is not paused, or when it is to end. */
  untilOver: (isEnding: () => boolean) => Promise<void>;
  /** Calls back at each pause. Returns how to stop that. */
  onPause: (act: () => void) => () => void;
}

export function createPauseState(onChange: (isPaused: boolean) => void): PauseState {
  let isSet = false;
  let going = 0;
  const listeners = new Set<() => void>();
  const isPaused = (): boolean => isSet || going > 0;
  const tell = (): void => {
    for (const act of listeners) act();
  };
  return {
    isPaused,
    set(next) {
      if (isSet === next) return;
      isSet = next;
      onChange(next);
      if (next) tell();
    },
    async during(act) {
      going += 1;
      tell();
      try {
        return await act();
      } finally {
        going -= 1;
      }
    },
    async untilOver(isEnding) {
      // Each promise in a workflow costs, so only a paused run waits for one.
      if (isPaused()) await condition(() => !isPaused() || isEnding());
    },
    onPause(act) {
      listeners.add(act);
      return () => {
        listeners.delete(act);
      };
    },
  };
}

/** Counts how often the key of the account was replaced. */
function countKeys(): () => number {
  let replaced = 0;
  onSignal(keyReplacedSignal, anything, () => {
    replaced += 1;
  });
  return () => replaced;
}

/** What operators and the deadline may do to a run, as its other parts see it. */
export interface Controls {
  /** Resolves immediately, or once the run is no longer paused. Call it before each mutation. */
  untilUnpaused(): Promise<void>;
  readonly pause: Pick<PauseState, 'isPaused' | 'onPause'>;
  /** The run closes: from now on it can neither be paused nor aborted. */
  beginClose(): void;
  /** Starts to watch the deadline, if there is one. */
  watchDeadline(): void;
  /** Resolves on `resume`, when the run is to end, when `isOver` says so, or after this time. */
  untilResumed(waitMs: number, summary: string, isOver?: () => boolean): Promise<void>;
  /** How often the key of the account was replaced, as far as the run was told. */
  keysReplaced(): number;
  /** How often an operator has sent `resume`. */
  resumes(): number;
  /** How often a `resume` was meant for what blocks this very run: neither for many runs, nor to end a pause. */
  decisions(): number;
  /** The run is blocked from now on. */
  noteBlocked(): void;
  /** The number of its last block, until a decision about it; otherwise 0. */
  undecidedBlock(): number;
  /** Why the run is to end; `undefined` until an operator or the deadline ends it. */
  endingReason(): ApplicationFailure | undefined;
  /** Whether the run was told to end, also by a cancel. What goes on may still have to answer. */
  isEnding(): boolean;
  /** Whether an operator has sent `abort`. */
  isAborted(): boolean;
  /** A rollback removes nothing from now on, because the evidence contradicts itself. */
  leaveAsIs(): void;
  isLeftAsIs(): boolean;
  /** Ends a pause, because the run is ending. */
  unpause(): void;
  /** Stops watching the deadline. */
  close(): void;
}

/** What the controls need of the run. */
export interface ControlledRun extends WithDeadline {
  /** An earlier history has handed over that the run is paused. */
  wasPaused: boolean;
  /** Called when the run is to end. */
  onEnding(): void;
  /** Whether it was told to end, also by a cancel. */
  isEnding(): boolean;
  onPaused(isPaused: boolean): void;
  /** Called when the run has taken what somebody asks. @param by what the caller claims */
  onAsked(what: AskedFor, by: unknown): void;
  document(): StatusDocument;
  /** Why a corrected input comes too late; `undefined` while it does not. */
  whyTooLate(): string | undefined;
  /** Checks another input; throws `InvalidInput`. What it returns replaces the input by that one. */
  prepareCorrection(input: unknown): Promise<() => void>;
}

/** Answers the updates `pause`, `resume` and `abort`, and watches the deadline. */
export function createControls(run: ControlledRun): Controls {
  const paused = createPauseState((isPaused) => {
    run.onPaused(isPaused);
  });
  let isLeft = false;
  let resumes = 0;
  const { decide, ...decided } = createDecisions();
  let isAborted = false;
  let ending: ApplicationFailure | undefined;
  let isClosing = false;

  const end = (reason: ApplicationFailure): void => {
    ending ??= reason;
    paused.set(false);
    run.onEnding();
  };

  const deadline = createDeadline(run, end);
  // A `resume` may come with the first event: it finds the run paused.
  paused.set(run.wasPaused);
  answerUpdates(run, {
    isPaused: paused.isPaused,
    isEnding: () => ending !== undefined,
    isClosing: () => isClosing,
    pause: () => {
      paused.set(true);
    },
    hold: paused.during,
    resume: (request) => {
      resumes += 1;
      if (request?.ofMany !== true && !paused.isPaused()) decide();
      paused.set(false);
    },
    watchDeadline: deadline.watch,
    abort: (request) => {
      isAborted = true;
      end(abortedFailure(request));
    },
  });
  return {
    untilUnpaused: () => paused.untilOver(() => ending !== undefined),
    pause: paused,
    beginClose: () => {
      isClosing = true;
    },
    watchDeadline: deadline.watch,
    async untilResumed(waitMs, summary, isOver = () => false) {
      const before = resumes;
      const isWoken = () => resumes > before || ending !== undefined || isOver();
      await condition(isWoken, waitMs, { summary });
    },
    keysReplaced: countKeys(),
    resumes: () => resumes,
    ...decided,
    endingReason: () => ending,
    isEnding: () => run.isEnding(),
    isAborted: () => isAborted,
    leaveAsIs: () => {
      isLeft = true;
    },
    isLeftAsIs: () => isLeft,
    unpause: () => {
      paused.set(false);
    },
    close: deadline.close,
  };
}

/** Counts the blocks, and what a person has decided about them. */
function createDecisions() {
  let decisions = 0;
  let blocks = 0;
  let undecidedBlock = 0;
  return {
    decide: () => {
      decisions += 1;
      undecidedBlock = 0;
    },
    decisions: () => decisions,
    noteBlocked: () => {
      blocks += 1;
      undecidedBlock = blocks;
    },
    undecidedBlock: () => undecidedBlock,
  };
}

interface UpdateActions {
  isPaused(): boolean;
  isEnding(): boolean;
  isClosing(): boolean;
  pause(): void;
  hold: PauseState['during'];
  resume(request: ResumeRequest | undefined): void;
  watchDeadline(): void;
  abort(request: AbortRequest & AskedBy): void;
}

function answerUpdates(run: ControlledRun, actions: UpdateActions): void {
  onUpdate(pauseUpdate, askedBy, {
    act: (request) => {
      run.onAsked(AskedFor.pause, request?.by);
      actions.pause();
      return run.document();
    },
    refuse: () => {
      if (actions.isEnding() || actions.isClosing()) throw refusedFailure('The run is ending.');
    },
  });
  const refuseLate = (): void => {
    const isEnding = run.isEnding() || actions.isClosing();
    const reason = isEnding ? 'The run is ending.' : run.whyTooLate();
    if (reason !== undefined) throw refusedFailure(reason);
  };
  const correct = async (input: unknown): Promise<void> => {
    const replace = await prepareCorrection(run, input);
    // While the input is checked, the run may end, or hear that a call is taken.
    refuseLate();
    replace();
  };
  onUpdate(resumeUpdate, resumeRequest, {
    act: async (request) => {
      const input = request?.input;
      // Meanwhile nothing is sent for the input before.
      if (input !== undefined) await actions.hold(() => correct(input));
      run.onAsked(AskedFor.resume, request?.by);
      actions.watchDeadline();
      actions.resume(request);
      return run.document();
    },
    refuse: (request) => {
      const isCorrection = request?.input !== undefined;
      const isHeld = actions.isPaused() || run.document().blocked !== undefined;
      // A reset brings a correction again before the run is held up by what it was given for.
      if (!isHeld && !isCorrection) throw refusedFailure('The run is neither paused nor blocked.');
      if (request?.onlyBlocked === true && actions.isPaused()) {
        throw refusedFailure('Somebody has paused the run: resume it by itself.');
      }
      if (isCorrection) refuseLate();
    },
  });
  onUpdate(abortUpdate, abortRequest, {
    act: (request) => {
      run.onAsked(AskedFor.abort, request?.by);
      actions.abort(request ?? {});
      return run.document();
    },
    refuse: () => {
      if (actions.isClosing()) throw refusedFailure('The run is ending.');
    },
  });
}

async function prepareCorrection(run: ControlledRun, input: unknown): Promise<() => void> {
  try {
    return await run.prepareCorrection(input);
  } catch (error) {
    // The fault itself, without the activity failure around it.
    throw failureOf(error) ?? error;
  }
}

function abortedFailure({ by, reason = '' }: AbortRequest & AskedBy): ApplicationFailure {
  const who = toIdentity(by);
  const name = who === UNKNOWN_IDENTITY ? '' : ` (${who})`;
  // It may be of any size.
  const why = reason !== '' ? ` (${cutText(reason)})` : '';
  return failure(FailureType.aborted, `An operator${name} aborted the run${why}.`, {
    advice: 'If you still want the result, start again under the same request id.',
  });
}

/** The message does not fit what the run is doing; it changes nothing. */
export function refusedFailure(message: string): ApplicationFailure {
  return failure(FailureType.refused, message, { advice: 'Look at the status of the run first.' });
}
