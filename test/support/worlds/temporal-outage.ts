import { setTimeout as pass } from 'node:timers/promises';

import type { FaultWorld } from './fault-world.js';

/**
 * How long the Temporal server is away in the tests: 5 s, or what FAULT_OUTAGE_SECONDS lists, such as
 * `5,15,60`. From about 10 s on the SDK gives up reporting the result of an activity, and the server
 * gives up waiting for one after 20 s: the lengths differ in kind.
 */
export function outageSeconds(): number[] {
  return (process.env['FAULT_OUTAGE_SECONDS'] ?? '5').split(',').map((text) => {
    const seconds = Number(text);
    if (seconds > 0) return seconds;
    throw new RangeError(`FAULT_OUTAGE_SECONDS: "${text}" is no number of seconds`);
  });
}

/** Kills the Temporal server, and starts it again when it has been away for so long. */
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
