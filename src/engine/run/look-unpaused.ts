import { Phase } from '../core/status.js';
import type { Seen } from './read-times.js';
import type { Run } from './run-types.js';

/** Looks while the run is not paused. A look before a pause is stale: it is repeated after the pause. */
export async function lookUnpaused<T>(
  { api, controls, ledger }: Pick<Run, 'api' | 'controls' | 'ledger'>,
  look: () => Promise<T>,
): Promise<Seen<T>> {
  for (;;) {
    await controls.untilUnpaused();
    const seen = await api.times.look(look);
    if (ledger.document().phase !== Phase.paused) return seen;
  }
}
