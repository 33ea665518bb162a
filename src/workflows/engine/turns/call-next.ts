import { turnFreeSignal, type TurnFree } from '../../../contract/messages.js';
import { signalRun } from './signal-run.js';

/** Calls the first run that is still open. It knows the others behind it. */
export async function callNext(
  resource: string,
  line: readonly string[],
  how: Pick<TurnFree, 'isClosing' | 'isCutShort'> = {},
): Promise<void> {
  for (const [index, waiter] of line.entries()) {
    const behind = line.slice(index + 1);
    if (await signalRun(waiter, turnFreeSignal, { resource, behind, ...how })) return;
  }
}
