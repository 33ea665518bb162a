import { localActivities } from './local-activities.js';
import type { Receivers } from './notifier.js';

/** What every worker of workflows answers, whatever its API. */
export interface EngineActivities {
  /** Who is told about a run whose input was refused, as far as that can be read. */
  receiversOf(input: unknown): Promise<Receivers>;
  /**
   * When the last run that had this turn was terminated, in milliseconds since the epoch; `undefined` when it was not.
   * @param turn `now` is the time of the run that has just got the turn
   */
  turnCutShortAt(turn: { turnId: string; now: number }): Promise<number | undefined>;
  /** Under which Run Id the server knows the run that asks. In the copied events of a run that was reset it is an older one. */
  currentRunId(): Promise<string>;
}

export const engineActivities = localActivities<EngineActivities>();
