import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { InstanceView } from '../../../activities/instances.js';
import { FailureType } from '../../../engine/core/failures.js';
import { failure } from '../../../engine/run/failures.js';
import { lookUntilGraceEnds } from '../../../engine/wait/look-until.js';
import { otherHolderOfVolume } from '../../shared/holders.js';
import { chooseParts, boundFaults, looseFault, refusedFailure } from './choose-parts.js';
import { placeOf, type DeleteRun, type FoundInstance } from './delete-run.js';
import {
  existingFloatingIps,
  existingVolumes,
  floatingAddressesOf,
  readFloatingIps,
} from './loose-parts.js';

/** Finds the parts of an existing instance. Fails as `InvalidRequest` when a choice is not possible. */
export async function lookAtParts(run: DeleteRun, instance: InstanceView): Promise<FoundInstance> {
  const attached = await findFloatingIps(run, instance);
  const volumes = chooseParts(run.prepared.volumes, instance.volumeIds);
  const { seen, held } = await readHolders(run, instance, volumes.chosen);
  const isTaken = (id: string): boolean => run.prepared.volumes !== 'delete' || !held.has(id);
  const chosen = volumes.chosen.filter(isTaken);
  const floatingIps = chooseParts(
    run.prepared.floatingIps,
    attached.map(({ id }) => id),
  );
  const faults = [
    ...boundFaults(instance, chosen),
    ...chosen.flatMap((id) => (held.has(id) ? [looseFault('volumes', id, held.get(id))] : [])),
    ...(await existingVolumes(run, volumes.loose)).map(({ id }) => looseFault('volumes', id)),
    ...(await existingFloatingIps(run, floatingIps.loose)).map(({ id }) =>
      looseFault('floatingIps', id),
    ),
  ];
  if (faults.length > 0) throw refusedFailure(faults);
  return {
    place: placeOf(run.prepared),
    instanceId: instance.id,
    instance,
    volumeIds: chosen,
    volumes: seen,
    floatingIps: attached.filter(({ id }) => floatingIps.chosen.includes(id)),
    kept: {
      volumes: instance.volumeIds.filter((id) => !chosen.includes(id)),
      floatingIps: floatingIps.kept,
    },
  };
}

/** Who else holds which of these volumes of the instance: it stays, whatever the choice says. */
async function readHolders(run: DeleteRun, { id }: InstanceView, volumeIds: readonly string[]) {
  const parts = { ...placeOf(run.prepared), volumeIds, floatingIpIds: [] };
  const seen = volumeIds.length === 0 ? undefined : await run.api.reads.listExistingParts(parts);
  const held = new Map<string, string>();
  for (const volume of seen?.volumes ?? []) {
    const holder = otherHolderOfVolume(volume, [id]);
    if (holder !== undefined) held.set(volume.id, holder);
  }
  return { seen, held };
}

/** Looks through the grace time for floating IPs that no list shows yet. */
async function findFloatingIps(run: DeleteRun, instance: InstanceView): Promise<FloatingIpView[]> {
  const place = placeOf(run.prepared);
  const name = `the floating IPs of instance ${instance.id}`;
  const until = Date.now() + run.prepared.policy.reconcileGraceMs;
  return lookUntilGraceEnds(run, { name, until }, async (isLate) => {
    const found = await readFloatingIps(run.api.reads.listFloatingIpsOfInstance, {
      place,
      instance,
    });
    const missing = floatingAddressesOf(instance).filter(
      (address) => !found.some((item) => item.address === address),
    );
    if (run.prepared.floatingIps !== 'delete' || missing.length === 0) return found;
    if (isLate) throw unlistedFailure(instance, missing);
    return undefined;
  });
}

function unlistedFailure({ id }: InstanceView, addresses: readonly string[]): Error {
  return failure(
    FailureType.outcomeUnknown,
    `Instance ${id} has floating IPs that no list shows: ${addresses.join(', ')}.`,
    { advice: 'Look for them in the project, and name the floating IPs to delete by their ids.' },
  );
}
