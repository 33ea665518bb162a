import type { DeleteChoice } from '../../operations/delete-instance.js';
import type { PreparedRun } from '../../../engine/core/prepared-run.js';

/** The instance to delete, by its id or by the request that created it. */
export type DeleteTarget = { instanceId: string } | MarkedTarget;

/** What the run `madeBy` has made: it has set this marker. */
export interface MarkedTarget {
  madeBy: string;
  marker: string;
  namespaceId: string;
}

export interface PreparedDeleteInstance extends PreparedRun {
  projectId: number;
  regionId: number;
  target: DeleteTarget;
  volumes: DeleteChoice;
  floatingIps: DeleteChoice;
}
