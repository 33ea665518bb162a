import { condition, setHandler, type ApplicationFailure } from '@temporalio/workflow';

import { FailureType } from '../../../contract/failures.js';
import { extendUpdate, restoreUpdate } from '../../../contract/messages.js';
import { isoOf } from '../../../contract/iso-of.js';
import { parseDuration } from '../../../contract/parse-duration.js';
import { StepState } from '../../../contract/status.js';
import type { StatusDocument } from '../../../contract/status-document.js';
import { failure } from '../run/failures.js';
import type { StepRecorder } from '../run/ledger.js';
import type { Run } from '../run/run-types.js';

/** A time during which a run keeps what it has reached. */
export interface Hold {
  /** Resolves when the time is over, or on the update `restore`. */
  keep(run: Run, step: StepRecorder, ms: number): Promise<void>;
}

interface Held {
  run: Run;
  step: StepRecorder;
  since: number;
  until: number;
  isOver: boolean;
}

/** Answers the updates `extend` and `restore` from now on. Refuses both while nothing is held. */
export function createHold(): Hold {
  let held: Held | undefined;
  const holding = (): Held => {
    if (held === undefined || held.isOver) throw nothingHeldFailure();
    return held;
  };

  setHandler(extendUpdate, ({ holdFor }) => extend(holding(), toMs(holdFor)), {
    validator: ({ holdFor }) => {
      holding();
      toMs(holdFor);
    },
  });
  setHandler(restoreUpdate, () => end(holding()), {
    validator: () => {
      holding();
    },
  });

  return {
    async keep(run, step, ms) {
      const since = Date.now();
      const current: Held = { run, step, since, until: since + ms, isOver: false };
      held = current;
      show(current);
      try {
        await untilOver(current);
      } finally {
        held = undefined;
        run.ledger.setWaiting(undefined);
      }
      step.set(StepState.verified, { note: `ended at ${isoOf(Date.now())}` });
    },
  };
}

async function untilOver(held: Held): Promise<void> {
  while (!held.isOver && Date.now() < held.until) {
    const { until } = held;
    const isNews = () => held.isOver || held.until !== until;
    await condition(isNews, until - Date.now(), { summary: `held until ${isoOf(until)}` });
  }
}

/** Never shortens: a repeated alert must not end what another one asked for. */
function extend(held: Held, ms: number): StatusDocument {
  held.until = Math.max(held.until, Date.now() + ms);
  show(held);
  return held.run.ledger.document();
}

function end(held: Held): StatusDocument {
  held.isOver = true;
  return held.run.ledger.document();
}

function show({ run, step, since, until }: Held): void {
  const time = isoOf(until);
  step.set(StepState.waiting, { note: `until ${time}; "extend" and "restore" change that` });
  run.ledger.setWaiting({ for: 'the end of the hold', since: isoOf(since), nextCheckAt: time });
}

function toMs(text: unknown): number {
  const parsed = parseDuration(text);
  if (parsed.ok) return parsed.ms;
  throw failure(FailureType.refused, `The time to hold ${parsed.message}.`, {
    advice: 'Give a duration.',
  });
}

function nothingHeldFailure(): ApplicationFailure {
  return failure(FailureType.refused, 'The run holds nothing now.', {
    advice: 'Look at the status of the run first.',
  });
}
