import { setTimeout as pass } from 'node:timers/promises';

import type { FaultWorld } from '../support/worlds/fault-world.js';

/**
 * How long the Temporal server is down in the tests: 5 s, or the list in FAULT_OUTAGE_SECONDS, such as
 * `5,15,60`. The lengths test different things: after about 10 s the SDK gives up reporting the result
 * of an activity, and after 20 s the server gives up waiting for it.
 */
export function outageSeconds(): number[] {
  return (process.env['FAULT_OUTAGE_SECONDS'] ?? '5').split(',').map((text) => {
    const seconds = Number(text);
    if (seconds > 0) return seconds;
    throw new RangeError(`FAULT_OUTAGE_SECONDS: "${text}" is not a number of seconds`);
  });
}

/** Kills the Temporal server and starts it again after the given seconds. */
export async function interruptTemporal(
  world: FaultWorld,
  { seconds, meanwhile }: { seconds: number; meanwhile: () => void | Promise<void> },
): Promise<void> {
  await world.killTemporal();
  const back = pass(seconds * 1000);
  await meanwhile();
  await back;
  await world.startTemporal();
}
