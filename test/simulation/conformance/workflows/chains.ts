import {
  condition,
  continueAsNew,
  makeContinueAsNewFunc,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';

import { attributes } from '../attributes.js';
import { aboutItself, go } from './basics.js';
import { act, local } from './proxies.js';

/** Continues as new until it has counted to zero. */
export async function countsDown(from: number): Promise<unknown> {
  if (from > 0) return continueAsNew<typeof countsDown>(from - 1);
  return aboutItself();
}

export async function continuesAndSleeps(isSecond = false): Promise<unknown> {
  if (!isSecond) return continueAsNew<typeof continuesAndSleeps>(true);
  await sleep(60_000);
  return 'slept';
}

/** Continues as another workflow with options of its own. */
export async function becomesAnother(): Promise<unknown> {
  return makeContinueAsNewFunc<typeof aboutItself>({
    workflowType: 'aboutItself',
    memo: { from: 'the run before' },
    typedSearchAttributes: attributes('later'),
    workflowRunTimeout: '1 minute',
    workflowTaskTimeout: '5s',
  })();
}

/** A signal comes while it continues as new. */
export async function continuesWhileTold(isSecond = false): Promise<unknown> {
  const got: unknown[] = [];
  setHandler(go, (value) => {
    got.push(value);
  });
  if (!isSecond && got.length === 0) {
    await local.perform('hold');
    return continueAsNew<typeof continuesWhileTold>(true);
  }
  await condition(() => got.length > 0);
  return { got, isSecond };
}

/** Tells how the suggestion to continue as new changes as it is told more. */
export async function asksWhetherToContinue(): Promise<unknown> {
  const suggested: boolean[] = [];
  let told = 0;
  setHandler(go, () => {
    told += 1;
  });
  for (let at = 1; at <= 5; at += 1) {
    await condition(() => told >= at);
    suggested.push(workflowInfo().continueAsNewSuggested);
  }
  return suggested;
}

/** Steps of a run that is reset. */
export async function steps(): Promise<unknown> {
  const got: unknown[] = [];
  setHandler(go, (value) => {
    got.push(value);
  });
  got.push(await act.perform('one'));
  await condition(() => got.length > 1);
  got.push(await act.perform('two'));
  await condition(() => got.length > 3);
  return got;
}

export async function sleepsAndPerforms(): Promise<unknown> {
  const slept = sleep(1_500).then(() => 'slept');
  return [await act.perform('one'), await slept];
}

export async function performsAndWaits(): Promise<unknown> {
  const got: unknown[] = [];
  setHandler(go, (value) => {
    got.push(value);
  });
  const performed = act.perform('one');
  const slept = sleep(6_000).then(() => 'slept');
  await condition(() => got.length > 0);
  return [got, await performed, await slept];
}
