import { condition, defineQuery, defineSignal, setHandler } from '@temporalio/workflow';

export const tickSignal = defineSignal('tick');
export const ticksQuery = defineQuery<number>('ticks');

/** Returns the workflow's own time at the signal, in milliseconds since the epoch. */
export async function tellTime(): Promise<number> {
  let ticks = 0;
  setHandler(tickSignal, () => {
    ticks += 1;
  });
  setHandler(ticksQuery, () => ticks);
  await condition(() => ticks > 0);
  return Date.now();
}
