import type { InstanceView } from '../../../activities/instances.js';
import type { Resource } from '../../../engine/core/resource.js';
import type { Mutation } from '../../../engine/send/mutation.js';
import type { Target } from '../targets.js';

/** The create call of one target. */
export interface CreateMutation extends Mutation<InstanceView> {
  /** Lets `remove` take an instance whose create has failed, whichever run of the request sent it. */
  giveUp(instance: InstanceView): Promise<void>;
  target: Target;
  /** What this run made, as far as the API shows it now. */
  listMade(taskIds: readonly string[]): Promise<Resource[]>;
  /** The same after the tasks have ended and the lists have settled. */
  listAllMade(taskIds: readonly string[]): Promise<Resource[]>;
}
