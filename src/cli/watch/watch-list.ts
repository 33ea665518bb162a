import { isUnreachable } from '../../client/error-table.js';
import type { RunSummary } from '../../client/index.js';
import type { Clock } from '../cli-io.js';

export interface ListWatching {
  load: () => Promise<RunSummary[]>;
  show: (runs: readonly RunSummary[]) => void;
  /** Told once for each time that the server is away. */
  onAway: () => void;
  clock: Clock;
  /** Aborted by Ctrl-C, and when nobody reads the list any more. */
  stopped: AbortSignal;
}

const EVERY_MS = 2_000;

/** Shows the list again and again until it is stopped, also while the server is away for a time. */
export async function watchList(watching: ListWatching): Promise<void> {
  const { load, show, onAway, clock, stopped } = watching;
  let isAway = false;
  while (!stopped.aborted) {
    try {
      show(await load());
      isAway = false;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      if (!isAway) onAway();
      isAway = true;
    }
    await clock.delay(EVERY_MS, stopped);
  }
}

/** The runs that are new or have another phase since the last call. A list may have several runs of one Workflow Id. */
export function createChanges(): (runs: readonly RunSummary[]) => RunSummary[] {
  const known = new Map<string, string>();
  return (runs) => {
    const changed = runs.filter(({ runId, phase }) => {
      const isNew = known.get(runId) !== phase;
      known.set(runId, phase);
      return isNew;
    });
    // The oldest first: these lines stay.
    return changed.reverse();
  };
}
