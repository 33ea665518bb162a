import type { DeleteChoice } from '../operations/delete-instance.js';
import type { PreparedRun } from './prepared-run.js';

/** Which instance is meant. */
export type DeleteTarget =
  | { instanceId: string }
  /** By the marker that the run `madeBy` has set. */
  | { madeBy: string; marker: string };

export interface PreparedDeleteInstance extends PreparedRun {
  projectId: number;
  regionId: number;
  target: DeleteTarget;
  volumes: DeleteChoice;
  floatingIps: DeleteChoice;
}
