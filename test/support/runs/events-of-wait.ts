import type { WorkflowHandle } from '@temporalio/client';

import { eventsOfLook } from './events-of-look.js';

/** Events of one look of a run, which is terminated then. */
export async function measured(
  run: WorkflowHandle,
  ...args: [Parameters<typeof eventsOfLook>[1], Parameters<typeof eventsOfLook>[2]?]
): Promise<number> {
  const events = await eventsOfLook(run, ...args);
  await run.terminate();
  return events;
}

/** Events of a run while the API, or a person, lets it wait: none, however long it takes. */
export async function standing(run: WorkflowHandle, wait: () => Promise<void>): Promise<number> {
  const length = async () => (await run.describe()).historyLength;
  const before = await length();
  await wait();
  const events = (await length()) - before;
  await run.terminate();
  return events;
}
