import { deprecatePatch, patched, sleep } from '@temporalio/workflow';

import { act } from './proxies.js';

export async function gainsPatch(): Promise<unknown> {
  await sleep(50);
  const first = await act.perform(patched('the patch') ? 'new' : 'old');
  return [first, await act.perform('end')];
}

export async function losesPatch(): Promise<unknown> {
  deprecatePatch('the patch');
  const first = await act.perform('new');
  return [first, await act.perform('end')];
}

export async function changes(): Promise<unknown> {
  await act.perform('instead of the timer');
  return act.perform('end');
}
