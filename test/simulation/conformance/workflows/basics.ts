import {
  ApplicationFailure,
  CancellationScope,
  condition,
  defineSignal,
  executeChild,
  isCancellation,
  setHandler,
  sleep,
  upsertMemo,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';

import { LABELS, PHASE, plainAttributes } from '../attributes.js';
import { explainError, outcomeOf } from '../explain-error.js';
import { act, local } from './proxies.js';

export const go = defineSignal<[unknown?]>('go');
export const mend = defineSignal('mend');

export function echo(...args: unknown[]): Promise<unknown> {
  return Promise.resolve(args);
}

export function aboutItself(): Promise<unknown> {
  const {
    attempt,
    workflowType,
    taskTimeoutMs,
    cronSchedule,
    memo,
    typedSearchAttributes,
    parent,
  } = workflowInfo();
  const { runId, firstExecutionRunId, continuedFromExecutionRunId, lastFailure } = workflowInfo();
  const { executionTimeoutMs, runTimeoutMs, historyLength, continueAsNewSuggested } =
    workflowInfo();
  return Promise.resolve({
    ...{ attempt, workflowType, taskTimeoutMs, cronSchedule, memo },
    searchAttributes: plainAttributes(typedSearchAttributes),
    ...{ runId, firstExecutionRunId, continuedFromExecutionRunId, historyLength },
    ...{ continueAsNewSuggested, executionTimeoutMs, runTimeoutMs },
    lastFailure: lastFailure === undefined ? null : explainError(lastFailure),
    parent: parent ?? null,
  });
}

export function fail(type: string, nonRetryable = false): Promise<never> {
  const failure = ApplicationFailure.create({
    message: 'it failed on purpose',
    type,
    nonRetryable,
    details: [{ why: 'so' }],
    cause: new Error('the cause'),
  });
  return Promise.reject(failure);
}

export async function failOnce(): Promise<unknown> {
  const { attempt } = workflowInfo();
  if (attempt === 1) throw ApplicationFailure.create({ message: 'not yet', type: 'Early' });
  return aboutItself();
}

/** Waits for `go`. */
export async function waitForGo(): Promise<unknown> {
  const got: unknown[] = [];
  setHandler(go, (value) => {
    got.push(value);
  });
  await condition(() => got.length > 0);
  return got[0];
}

function mendedOr(isMended: () => boolean): string {
  if (!isMended()) throw new TypeError('a mistake in the code');
  return 'mended';
}

/** Fails its task at `go` until `mend` has come too. */
export async function brokenUntilMended(): Promise<string> {
  let isTold = false;
  let isMended = false;
  setHandler(go, () => {
    isTold = true;
  });
  setHandler(mend, () => {
    isMended = true;
  });
  await condition(() => isTold);
  return mendedOr(() => isMended);
}

export async function sleepFor(ms: number): Promise<string> {
  await sleep(ms);
  return 'slept';
}

export async function timersInOrder(): Promise<string[]> {
  const order: string[] = [];
  const after = async (ms: number): Promise<void> => {
    await sleep(ms);
    order.push(`${ms}`);
  };
  await Promise.all([after(1_700), after(200), after(950)]);
  return order;
}

export async function cancelledTimers(): Promise<unknown> {
  const scope = new CancellationScope();
  const waits = scope.run(() =>
    Promise.all(Array.from({ length: 20 }, (_, at) => sleep(60_000 + at))),
  );
  const ended = outcomeOf(waits);
  await sleep(100);
  scope.cancel();
  return ended;
}

export async function timerCancelledAtOnce(): Promise<unknown> {
  const scope = new CancellationScope();
  const ended = outcomeOf(scope.run(() => sleep(60_000)));
  scope.cancel();
  return ended;
}

export async function zeroTimers(): Promise<string> {
  await sleep(0);
  await sleep(-1);
  return 'slept';
}

export async function conditionsWithTimeout(): Promise<unknown> {
  let isTold = false;
  setHandler(go, () => {
    isTold = true;
  });
  const first = await condition(() => isTold, 300);
  const second = await condition(() => isTold, 20_000);
  const third = await condition(() => isTold, '1s');
  return [first, second, third];
}

/** Whether what it draws is, after a replay, what it told its activity before. */
export async function drawsAtRandom(): Promise<unknown> {
  const drawn = JSON.stringify([uuid4(), Math.random(), Math.random(), Date.now()]);
  const told = await act.perform(drawn);
  await sleep(50);
  const later = JSON.stringify([uuid4(), Math.random(), Date.now()]);
  const toldLater = await act.perform(later);
  return [told === `done ${drawn}`, toldLater === `done ${later}`];
}

export async function cancellable(): Promise<unknown> {
  try {
    await sleep(60_000);
    return 'slept';
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => act.perform('clean up'));
    throw error;
  }
}

export async function ignoresCancel(): Promise<unknown> {
  const ended = await outcomeOf(sleep(60_000));
  return { ended, isCancelled: CancellationScope.current().consideredCancelled };
}

export async function nonCancellableSleep(): Promise<string> {
  await CancellationScope.nonCancellable(() => sleep(3_000));
  return 'not cancelled';
}

export async function timeoutScope(): Promise<unknown> {
  return outcomeOf(CancellationScope.withTimeout(200, () => sleep(60_000)));
}

export async function upserts(): Promise<unknown> {
  upsertMemo({ first: 1, second: 'two' });
  upsertSearchAttributes([
    { key: PHASE, value: 'early' },
    { key: LABELS, value: ['a', 'b'] },
  ]);
  await sleep(50);
  upsertMemo({ second: null, third: [3] });
  upsertSearchAttributes([
    { key: PHASE, value: null },
    { key: LABELS, value: ['b', 'c'] },
  ]);
  const { memo, typedSearchAttributes } = workflowInfo();
  return { memo, searchAttributes: plainAttributes(typedSearchAttributes) };
}

export async function usesEverything(): Promise<unknown> {
  const seen: unknown[] = [];
  setHandler(go, (value) => {
    seen.push(value);
  });
  seen.push(await act.perform('first'), await local.perform('local'));
  await sleep(50);
  seen.push(
    await executeChild(echo, { workflowId: `${workflowInfo().workflowId}-child`, args: [1] }),
  );
  const scope = new CancellationScope();
  const cancelled = outcomeOf(scope.run(() => sleep(60_000)));
  await condition(() => seen.includes('told'));
  scope.cancel();
  seen.push(await cancelled, uuid4().length, await outcomeOf(act.perform('fail')));
  return seen;
}
