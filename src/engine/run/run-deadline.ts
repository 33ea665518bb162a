import {
  CancellationScope,
  condition,
  isCancellation,
  type ApplicationFailure,
} from '@temporalio/workflow';

import { FailureType } from '../core/failures.js';
import { isoOf } from '../core/times.js';
import { failure } from './failures.js';

export interface WithDeadline {
  /** In milliseconds since the epoch; a corrected input may move it. */
  deadlineAt(): number | undefined;
}

/** Ends a run that takes too long. */
export function createDeadline(run: WithDeadline, end: (reason: ApplicationFailure) => void) {
  let watched: CancellationScope | undefined;
  return {
    watch: (): void => {
      if (run.deadlineAt() !== undefined) watched ??= watchDeadline(run, end);
    },
    close: (): void => {
      watched?.cancel();
    },
  };
}

/**
 * Runs until it is closed, whatever is cancelled: a blocked rollback has a deadline too. A corrected
 * input may move the deadline or remove it.
 */
function watchDeadline(
  run: WithDeadline,
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
          end(deadlineFailure(at));
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

function deadlineFailure(at: number): ApplicationFailure {
  return failure(FailureType.deadlineExceeded, `The run's deadline (${isoOf(at)}) has passed.`, {
    advice: 'Start again under the same request id, with a later deadline.',
  });
}
