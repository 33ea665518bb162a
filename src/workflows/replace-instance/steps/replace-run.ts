import type { ReplaceInstanceInput } from '../../../contract/operations/types.js';
import type { PreparedReplaceInstance } from '../../../contract/wire/prepared.js';
import type { PlanRun, Run } from '../../gcore.js';

export const ReplaceStep = {
  check: 'look at the old instance',
  create: 'create instance',
  move: 'move floating IP',
  delete: 'delete old instance',
} as const;

export type ReplaceRun = Run<PreparedReplaceInstance, ReplaceInstanceInput>;
export type AskedToReplace = PlanRun<PreparedReplaceInstance, ReplaceInstanceInput>;

/** What the input names, in the form of the API. */
export function namedBy({ input, prepared }: Pick<ReplaceRun, 'input' | 'prepared'>) {
  const { projectId, regionId } = prepared;
  return {
    place: { projectId, regionId },
    oldId: input.instanceId.toLowerCase(),
    floatingIpId: input.floatingIpId.toLowerCase(),
  };
}
