import { turnFreeSignal, type TurnFree } from '../core/messages.js';
import { Delivery, signalRun } from './signal-run.js';

/** Calls the first run that is still open. It knows the others behind it. */
export async function callNext(
  resource: string,
  { behind: line, isCutShort }: Omit<TurnFree, 'resource'>,
): Promise<void> {
  for (const [index, waiter] of line.entries()) {
    const behind = line.slice(index + 1);
    const free = { resource, behind, ...(isCutShort && { isCutShort }) };
    if ((await signalRun(waiter, turnFreeSignal, free)) === Delivery.delivered) return;
  }
}
