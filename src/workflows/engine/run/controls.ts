import {
  CancellationScope,
  condition,
  isCancellation,
  setHandler,
  type ApplicationFailure,
} from '@temporalio/workflow';

import { FailureType } from '../../../contract/failures.js';
import { isoOf } from '../../../contract/iso-of.js';
import { abortUpdate, pauseUpdate, resumeUpdate } from '../../../contract/messages.js';
import type { StatusDocument } from '../../../contract/status-document.js';
import { failure, failureOf } from './failures.js';

/** What operators and the run's deadline may do to a run. */
export interface Controls {
  /** Resolves at once, unless the run is paused: then when it goes on. Asked before each mutation. */
  clearance(): Promise<void>;
  /** Begins to watch over the deadline, if there is one. */
  watchDeadline(): void;
  /** Resolves when a person says resume, when the run is to end, or after this time. */
  resumed(waitMs: number, summary: string): Promise<void>;
  /** Why the run is to end, once an operator or its deadline has said so. */
  ending(): ApplicationFailure | undefined;
  /** From now on nothing is removed: what exists contradicts itself. */
  leaveAsIs(): void;
  isLeftAsIs(): boolean;
  /** The run is ending: what an operator held up goes on. */
  unpause(): void;
  /** Ends the watch over the deadline. */
  close(): void;
}

export interface Controlled {
  /** Told when the run is to end. */
  onEnding(): void;
  onPaused(isPaused: boolean): void;
  document(): StatusDocument;
  /** Why another input comes too late; `undefined` while it does not. */
  whyTooLate(): string | undefined;
  /** Takes another input; throws `InvalidInput`. */
  correct(input: unknown): Promise<void>;
  /** In milliseconds since the epoch; a correction may move it. */
  deadlineAt(): number | undefined;
}

/** Answers the updates `pause`, `resume` and `abort`, and watches over the deadline. */
export function createControls(run: Controlled): Controls {
  let isPaused = false;
  let isLeft = false;
  let resumes = 0;
  let ending: ApplicationFailure | undefined;

  const setPaused = (next: boolean): void => {
    if (isPaused === next) return;
    isPaused = next;
    run.onPaused(next);
  };
  const end = (reason: ApplicationFailure): void => {
    ending ??= reason;
    setPaused(false);
    run.onEnding();
  };

  let deadline: CancellationScope | undefined;
  const watchOverDeadline = (): void => {
    if (run.deadlineAt() !== undefined) deadline ??= watchDeadline(run, end);
  };

  answerUpdates(run, {
    isPaused: () => isPaused,
    isEnding: () => ending !== undefined,
    pause: () => {
      setPaused(true);
    },
    resume: () => {
      resumes += 1;
      setPaused(false);
    },
    watchDeadline: watchOverDeadline,
    end,
  });

  return {
    async clearance() {
      // Each promise of a workflow costs: only a run that is held up waits for one.
      if (isPaused) await condition(() => !isPaused || ending !== undefined);
    },
    watchDeadline: watchOverDeadline,
    async resumed(waitMs, summary) {
      const before = resumes;
      await condition(() => resumes > before || ending !== undefined, waitMs, { summary });
    },
    ending: () => ending,
    leaveAsIs: () => {
      isLeft = true;
    },
    isLeftAsIs: () => isLeft,
    unpause: () => {
      setPaused(false);
    },
    close: () => {
      deadline?.cancel();
    },
  };
}

interface Words {
  isPaused(): boolean;
  isEnding(): boolean;
  pause(): void;
  resume(): void;
  watchDeadline(): void;
  end(reason: ApplicationFailure): void;
}

function answerUpdates(run: Controlled, words: Words): void {
  setHandler(
    pauseUpdate,
    () => {
      words.pause();
      return run.document();
    },
    {
      validator: () => {
        if (words.isEnding()) throw refusal('The run is ending.');
      },
    },
  );
  setHandler(
    resumeUpdate,
    async ({ input } = {}) => {
      if (input !== undefined) await correct(run, input);
      words.watchDeadline();
      words.resume();
      return run.document();
    },
    {
      validator: ({ input } = {}) => {
        const isHeld = words.isPaused() || run.document().blocked !== undefined;
        if (!isHeld) throw refusal('The run is neither paused nor blocked.');
        const reason = input === undefined ? undefined : run.whyTooLate();
        if (reason !== undefined) throw refusal(reason);
      },
    },
  );
  setHandler(abortUpdate, ({ reason } = {}) => {
    words.end(aborted(reason));
    return run.document();
  });
}

async function correct(run: Controlled, input: unknown): Promise<void> {
  try {
    await run.correct(input);
  } catch (error) {
    // The fault itself, not that an activity found it.
    throw failureOf(error) ?? error;
  }
}

/**
 * Lives until it is closed, whatever is cancelled: a rollback that is blocked has a deadline too. A
 * correction may move the deadline, or take it away.
 */
function watchDeadline(
  run: Controlled,
  end: (reason: ApplicationFailure) => void,
): CancellationScope {
  const shield = new CancellationScope({ cancellable: false });
  const watch = new CancellationScope({ cancellable: true, parent: shield });
  watch
    .run(async () => {
      for (;;) {
        const at = run.deadlineAt();
        if (at === undefined) {
          await condition(() => run.deadlineAt() !== undefined);
          continue;
        }
        const leftMs = at - Date.now();
        if (leftMs <= 0) {
          end(deadlineExceeded(at));
          return;
        }
        const options = { summary: 'deadline of the run' };
        await condition(() => run.deadlineAt() !== at, leftMs, options);
      }
    })
    .catch((error: unknown) => {
      if (!isCancellation(error)) throw error;
    });
  return watch;
}

function deadlineExceeded(at: number): ApplicationFailure {
  return failure(FailureType.deadlineExceeded, `The run's deadline (${isoOf(at)}) has passed.`, {
    advice: 'Start again under the same request id, with a later deadline.',
  });
}

function aborted(reason: string | undefined): ApplicationFailure {
  const said = reason === undefined || reason === '' ? '' : ` (${reason})`;
  return failure(FailureType.aborted, `An operator aborted the run${said}.`, {
    advice: 'Start again under the same request id when it is wanted after all.',
  });
}

function refusal(message: string): ApplicationFailure {
  return failure(FailureType.refused, message, { advice: 'Look at the status of the run first.' });
}
