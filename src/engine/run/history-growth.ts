import { workflowInfo } from '@temporalio/workflow';

/** A history takes 51,200 events and 50 MiB, so a kilobyte fills as much of it as an event does. */
const BYTES_PER_EVENT = 1_000;

/**
 * From now on: what was added to the history, in events. What is large counts as more of them.
 * A look repeats its input, and that may be a list of a megabyte.
 */
export function measureGrowth(): () => number {
  const { historyLength, historySize } = workflowInfo();
  return () => {
    const now = workflowInfo();
    const bytes = now.historySize - historySize;
    return Math.max(now.historyLength - historyLength, Math.round(bytes / BYTES_PER_EVENT));
  };
}
