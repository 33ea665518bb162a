import { Phase } from '../../../contract/status.js';
import type { Run } from './run-types.js';

/** Reads while the run is not paused. A read before a pause is stale: it is repeated after the pause. */
export async function readUnpaused<T>(
  { controls, ledger }: Pick<Run, 'controls' | 'ledger'>,
  read: () => Promise<T>,
): Promise<T> {
  for (;;) {
    await controls.untilUnpaused();
    const seen = await read();
    if (ledger.document().phase !== Phase.paused) return seen;
  }
}
