import {
  ActivityCancellationType,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  executeChild,
  isCancellation,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
  upsertMemo,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';

import type { SmokeActivities } from './activities.js';

const { greet, wait } = proxyActivities<SmokeActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});
const local = proxyLocalActivities<SmokeActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '2 seconds' },
});

export const push = defineSignal<[string]>('push');
export const seen = defineQuery<string[]>('seen');
export const add = defineUpdate<number, [string]>('add');

export async function child(name: string): Promise<string> {
  await sleep('5 seconds');
  return `child ${name} ${workflowInfo().parent?.workflowId ?? ''}`;
}

/** Does a bit of everything, and goes on once as a new run. */
export async function everything(round: number): Promise<unknown> {
  const items: string[] = [];
  setHandler(push, (item) => {
    items.push(item);
  });
  setHandler(seen, () => items);
  setHandler(
    add,
    async (item) => {
      items.push(item);
      items.push(await local.greet(`update ${item}`));
      return items.length;
    },
    {
      validator: (item) => {
        if (item === '') throw ApplicationFailure.nonRetryable('nothing to add');
      },
    },
  );
  items.push(await greet('one'));
  items.push(await local.greet('two'));
  if (patched('three')) await sleep('1 minute');
  upsertMemo({ round });
  items.push(await executeChild(child, { args: ['four'] }));
  await condition(() => items.includes('go'));
  items.push(await local.failTwice('five'));
  const scope = new CancellationScope();
  const waiting = scope.run(() => wait('six')).catch((error: unknown) => isCancellation(error));
  await sleep('30 seconds');
  scope.cancel();
  items.push(String(await waiting), uuid4());
  if (round > 0) await continueAsNew<typeof everything>(round - 1);
  return { items, run: workflowInfo().continuedFromExecutionRunId !== undefined };
}

/** Counts what it is told until `push`. */
export async function counts(): Promise<number> {
  let [count, isOver] = [0, false];
  setHandler(add, () => (count += 1));
  setHandler(push, () => {
    isOver = true;
  });
  await condition(() => isOver);
  return count;
}

const patient = proxyActivities<SmokeActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
});

/** One long activity. It tells who did it. */
export async function longWork(): Promise<string> {
  return patient.work();
}

/** Goes another way when it is replayed. */
export async function forgetful(): Promise<void> {
  await sleep('1 second');
  if (workflowInfo().unsafe.isReplaying) await greet('nobody');
  await sleep('1 minute');
  await sleep('1 minute');
}
