import {
  condition,
  defineQuery,
  defineSignal,
  proxyLocalActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';

import type { createPrepareActivities } from '../../../src/activities/prepare.js';
import { Operation } from '../../../src/contract/wire/names.js';
import type { FirstLook } from '../../../src/engine/core/news.js';
import { continueRunAsNew } from '../../../src/engine/run/continue-run-as-new.js';
import { createPauseState } from '../../../src/engine/run/controls.js';
import type { Within } from '../../../src/engine/run/activity-calls.js';
import { runOperation, workflows, type Run } from '../../../src/workflows/gcore.js';
import { attemptOnce, type Attempt } from '../../../src/engine/send/attempt-once.js';

const { prepareListSshKeys } = proxyLocalActivities<ReturnType<typeof createPrepareActivities>>({
  startToCloseTimeout: '5 seconds',
});

/** Of the process that watches. */
export const { leaseWatches } = workflows;

export const takenSignal = defineSignal('taken');
export const handsOverQuery = defineQuery<boolean>('handsOver');

interface Input {
  account: string;
}

function inRun<T>(input: Input, body: (run: Run) => Promise<T>): Promise<T> {
  const { account } = input;
  const prepare = () => prepareListSshKeys({ account });
  return runOperation({ operation: Operation.listSshKeys, steps: ['work'], input, prepare }, body);
}

/** Continues in a new history as soon as its webhooks are handed over: at the signal `taken`. */
export function goesOn(input: Input, isNext = false): Promise<string> {
  const handOver = { isAsked: false, isTaken: false };
  setHandler(takenSignal, () => void (handOver.isTaken = true));
  setHandler(handsOverQuery, () => handOver.isAsked);
  return inRun(input, async (run) => {
    if (isNext) return 'the next history';
    const settle = (): Promise<void> => {
      handOver.isAsked = true;
      return condition(() => handOver.isTaken);
    };
    const slow = { ...run, notifier: { ...run.notifier, settle } };
    await continueRunAsNew<typeof goesOn>(slow, () => [input, true]);
    return 'the same history';
  });
}

/**
 * Attempts a change that answers with the options that it gets, once for each look.
 *
 * @param ages of the looks, in milliseconds
 * @param first the look that its activity makes
 */
export function attempts(
  input: Input & { ages: number[]; first?: FirstLook },
): Promise<Attempt<Within>[]> {
  return inRun(input, async (run) => {
    const made: Attempt<Within>[] = [];
    for (const age of input.ages) {
      const seenAt = Date.now() - age;
      const send = (within: Within) => Promise.resolve(within);
      made.push(await attemptOnce(run, { seenAt, send, first: input.first }));
    }
    return made;
  });
}

/**
 * Attempts a change in a paused run, which goes on later. Returns the attempt and how often the change was sent.
 *
 * @param isPausedAgain in the same moment, as by two updates that one workflow task brings
 */
export function attemptsPaused(
  input: Input & { isPausedAgain: boolean },
): Promise<{ attempt: Attempt<object>; sent: number }> {
  return inRun(input, async (run) => {
    const pause = createPauseState(() => undefined);
    const untilUnpaused = () => pause.untilOver(() => false);
    const paused = { ...run, controls: { ...run.controls, pause, untilUnpaused } };
    let sent = 0;
    pause.set(true);
    const attempt = attemptOnce(paused, {
      seenAt: Date.now(),
      send: () => Promise.resolve({ sent: ++sent }),
    });
    const again = untilUnpaused().then(() => {
      pause.set(input.isPausedAgain);
    });
    await sleep(1);
    pause.set(false);
    await again;
    return { attempt: await attempt, sent };
  });
}

/** Meets a defect of the code in its step, after a read. */
export async function defective(input: Input): Promise<void> {
  await inRun(input, async (run) => {
    await run.begin('work');
    await run.api.reads.listProjectIds();
    throw new TypeError('x is not a function');
  });
}

/** Longer than the SDK lets one activation take by default. */
const BUSY_MS = 6_000;

/** Keeps its thread for a while, as a long activation on a busy machine does. */
export async function busy(input: Input): Promise<string> {
  return inRun(input, async (run) => {
    await run.begin('work');
    await run.api.reads.listProjectIds();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
    return 'ended';
  });
}
