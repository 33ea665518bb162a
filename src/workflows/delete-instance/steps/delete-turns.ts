import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { InstanceView } from '../../../activities/instances.js';
import {
  floatingIpResource,
  instanceResource,
  volumeResource,
} from '../../../contract/wire/names.js';
import type { PreparedDeleteInstance } from '../../../contract/wire/prepared.js';
import { chooseParts } from './choose-parts.js';
import type { FoundInstance } from './delete-run.js';

/** What the run deletes, as far as the instance shows it. */
export function resourcesAt(
  { volumes, floatingIps }: PreparedDeleteInstance,
  instance: InstanceView,
  attached: readonly FloatingIpView[],
): string[] {
  const ids = attached.map(({ id }) => id);
  return [
    instanceResource(instance.id),
    ...chooseParts(volumes, instance.volumeIds).chosen.map(volumeResource),
    ...chooseParts(floatingIps, ids).chosen.map(floatingIpResource),
  ];
}

/** What the run deletes of an instance that is gone. */
export function resourcesLeft({ volumeIds, floatingIps }: FoundInstance): string[] {
  return [...volumeIds.map(volumeResource), ...floatingIps.map(({ id }) => floatingIpResource(id))];
}
