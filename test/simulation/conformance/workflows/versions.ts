import { patched, sleep } from '@temporalio/workflow';

import { act } from './proxies.js';

/** Each of these has another form in next-versions.ts. */
export async function gainsPatch(): Promise<unknown> {
  await sleep(50);
  const first = await act.perform('old');
  return [first, await act.perform('end')];
}

export async function losesPatch(): Promise<unknown> {
  const isPatched = patched('the patch');
  const first = await act.perform(isPatched ? 'new' : 'old');
  return [first, await act.perform('end')];
}

export async function changes(): Promise<unknown> {
  await sleep(50);
  return act.perform('end');
}
