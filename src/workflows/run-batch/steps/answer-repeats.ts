import { joinRequest } from '../../../engine/core/guards/message-guards.js';
import { AskedFor } from '../../../engine/core/identity.js';
import { joinUpdate } from '../../../engine/core/messages.js';
import { refusedFailure } from '../../../engine/run/controls.js';
import { onUpdate } from '../../../engine/run/on-message.js';
import type { Batch, BatchRun } from './batch-state.js';

/** Whom the repeats of a batch concern. */
export interface Repeats {
  follow: (run: BatchRun, batch: Batch) => void;
  /** From now on a repeat has to wait for the end of the run, and is a run of its own then. */
  end: () => void;
}

/**
 * Answers the update `join` of whoever repeats the batch while it is open: the runs of all items that were begun are asked once
 * more. It may come with the very first event of a history, a moment before the batch goes on there.
 */
export function answerRepeats(): Repeats {
  let followed: { run: BatchRun; batch: Batch } | undefined;
  let isAsked = false;
  let isOver = false;
  onUpdate(joinUpdate, joinRequest, {
    act: (request) => {
      if (followed === undefined) {
        isAsked = true;
        return undefined;
      }
      const { run, batch } = followed;
      run.ledger.asked.note(AskedFor.extend, request?.by);
      askOnceMore(batch);
      return run.ledger.document();
    },
    refuse: () => {
      if (isOver || followed?.run.controls.isEnding() === true)
        throw refusedFailure('The batch is ending.');
    },
  });
  return {
    follow: (run, batch) => {
      followed = { run, batch };
      if (isAsked) askOnceMore(batch);
      isAsked = false;
    },
    end: () => {
      isOver = true;
    },
  };
}

function askOnceMore(batch: Batch): void {
  if (batch.again.size === 0) batch.repeatedAt = Date.now();
  for (const line of batch.ids.keys()) if (!batch.later.has(line)) batch.again.add(line);
  batch.againAt = 0;
  batch.lastRepeatAt = Date.now();
  batch.repeats += 1;
}
