import { proxyLocalActivities } from '@temporalio/workflow';

import type { Receivers } from './notifier.js';

/** What every worker of workflows answers, whatever its API. */
export interface EngineActivities {
  /** Who is told about a run whose input was refused, as far as that can be read. */
  receiversOf(input: unknown): Promise<Receivers>;
  /** When the last run that had this turn was terminated, in milliseconds since the epoch; `undefined` when it was not. */
  turnCutShortAt(turn: { turnId: string }): Promise<number | undefined>;
}

export const engineActivities = proxyLocalActivities<EngineActivities>({
  startToCloseTimeout: '5 seconds',
});
