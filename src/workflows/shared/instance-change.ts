import type { InstanceTarget } from '../../activities/instance-actions.js';
import type { InstanceView } from '../../activities/instances.js';
import { paths } from '../../contract/wire/paths.js';
import type { Asked } from '../gcore.js';
import { resourceChange, type Stated, type Subject } from './resource-change.js';

/** What is asked of an instance that exists. */
interface InstanceInput {
  instanceId: string;
}

const INSTANCE: Subject<InstanceInput, InstanceView> = {
  kind: 'instance',
  field: 'instanceId',
  idOf: ({ instanceId }) => instanceId.toLowerCase(),
  path: paths.instance,
  listPath: paths.instances,
  read: (reads, place, instanceId) => reads.getInstance({ ...place, instanceId }),
  list: (reads, place) => reads.listInstances({ ...place, marker: 'none' }),
};

/** A step that changes an instance. */
export function instanceChange<I extends InstanceInput>(stated: Stated<I, InstanceView>) {
  return resourceChange<I, InstanceView>(INSTANCE, stated);
}

export function instanceOf({
  input,
  prepared: { projectId, regionId },
}: Pick<Asked<InstanceInput>, 'input' | 'prepared'>): InstanceTarget {
  return { projectId, regionId, instanceId: INSTANCE.idOf(input) };
}
