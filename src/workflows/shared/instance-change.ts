import type { InstanceTarget } from '../../activities/instance-actions.js';
import type { InstanceView } from '../../activities/instances.js';
import { instanceResource, type Place } from '../../contract/wire/names.js';
import { paths } from '../../contract/wire/paths.js';
import type { Asked } from '../gcore.js';
import { resourceChange, type Stated, type Subject } from './resource-change.js';

/** What is asked of an instance that exists. */
export interface InstanceInput {
  instanceId: string;
}

/** The API writes ids in lower case. */
export function instanceIdOf({ instanceId }: InstanceInput): string {
  return instanceId.toLowerCase();
}

/** Whether the list of its place has the instance: evidence of another kind than a read of it or of its ports. */
export function isInstanceListed(
  { reads, input }: Pick<Asked<InstanceInput>, 'reads' | 'input'>,
  place: Place,
): Promise<boolean> {
  return reads.isInstanceListed({ ...place, id: instanceIdOf(input) });
}

const INSTANCE: Subject<InstanceInput, InstanceView> = {
  kind: 'instance',
  resource: instanceResource,
  field: 'instanceId',
  idOf: instanceIdOf,
  path: paths.instance,
  listPath: paths.instances,
  read: ({ reads }, { id: instanceId, ...place }) => reads.getInstance({ ...place, instanceId }),
  after: ({ id: instanceId, ...place }) => ({
    read: { instance: { ...place, instanceId } },
    stateIn: ({ instance }) => instance,
  }),
  isListed: (reads, target) => reads.isInstanceListed(target),
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
  return { projectId, regionId, instanceId: instanceIdOf(input) };
}
