import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { ExistingParts } from '../../../activities/instance-parts.js';
import type { InstanceView } from '../../../activities/instances.js';
import { FailureType } from '../../../engine/core/failures.js';
import { without } from '../../../engine/core/lists.js';
import { failure } from '../../../engine/run/failures.js';
import { lookUntilGraceEnds } from '../../../engine/wait/look-until.js';
import {
  boundFaults,
  chooseParts,
  heldFaults,
  isShared,
  looseFault,
  refusedFailure,
} from './choose-parts.js';
import { placeOf, type DeleteRun, type FoundInstance } from './delete-run.js';
import {
  existingFloatingIps,
  existingVolumes,
  floatingAddressesOf,
  readFloatingIps,
} from './loose-parts.js';

/**
 * Finds the parts of an existing instance. Fails as `InvalidRequest` when a choice is not possible.
 *
 * @param attached its floating IPs
 */
export async function lookAtParts(
  run: DeleteRun,
  instance: InstanceView,
  attached: readonly FloatingIpView[],
): Promise<FoundInstance> {
  const volumes = chooseParts(run.prepared.volumes, instance.volumeIds);
  const seen = await readVolumes(run, volumes.chosen);
  const shared = seen?.volumes.filter((volume) => isShared(volume, instance.id)) ?? [];
  // "delete" means what the instance alone has. What is named by its id is refused.
  const stays = run.prepared.volumes === 'delete' ? shared.map(({ id }) => id) : [];
  const chosen = without(volumes.chosen, stays);
  const own = new Set(chosen);
  const taken = seen?.volumes.filter(({ id }) => own.has(id)) ?? [];
  const floatingIps = chooseParts(
    run.prepared.floatingIps,
    attached.map(({ id }) => id),
  );
  const addresses = new Set(floatingIps.chosen);
  const faults = [
    ...boundFaults(instance, chosen),
    ...heldFaults(taken, instance.id),
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
    floatingIps: attached.filter(({ id }) => addresses.has(id)),
    kept: {
      volumes: without(instance.volumeIds, chosen),
      floatingIps: floatingIps.kept,
    },
  };
}

/** Who has these volumes of the instance. */
async function readVolumes(
  run: DeleteRun,
  volumeIds: readonly string[],
): Promise<ExistingParts | undefined> {
  if (volumeIds.length === 0) return undefined;
  const parts = { ...placeOf(run.prepared), volumeIds, floatingIpIds: [] };
  return run.api.reads.listExistingParts(parts);
}

/** Looks through the grace time for floating IPs that no list shows yet. */
export async function findFloatingIps(
  run: DeleteRun,
  instance: InstanceView,
): Promise<FloatingIpView[]> {
  const place = placeOf(run.prepared);
  const name = `the floating IPs of instance ${instance.id}`;
  const until = Date.now() + run.prepared.policy.reconcileGraceMs;
  return lookUntilGraceEnds(run, { name, until }, async (isLate) => {
    const found = await readFloatingIps(run.api.reads.listFloatingIpsOfInstance, {
      place,
      instance,
    });
    const missing = unlistedAddresses(instance, found);
    if (run.prepared.floatingIps !== 'delete' || missing.length === 0) return found;
    if (isLate) throw unlistedFailure(instance, missing);
    return undefined;
  });
}

/**
 * The floating addresses of the instance that none of these floating IPs can have. One that the API shows at the instance without
 * its address has one of them: it is deleted by its id.
 */
function unlistedAddresses(instance: InstanceView, found: readonly FloatingIpView[]): string[] {
  const listed = found.flatMap(({ address }) => (address === undefined ? [] : [address]));
  const unknown = without(floatingAddressesOf(instance), listed);
  const nameless = found.filter(({ address }) => address === undefined);
  return unknown.length <= nameless.length ? [] : unknown;
}

function unlistedFailure({ id }: InstanceView, addresses: readonly string[]): Error {
  return failure(
    FailureType.outcomeUnknown,
    `Instance ${id} has floating IPs that no list shows: ${addresses.join(', ')}.`,
    { advice: 'Look for them in the project, and name the floating IPs to delete by their ids.' },
  );
}
