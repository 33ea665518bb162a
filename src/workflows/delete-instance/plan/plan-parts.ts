import { plural } from '../../../engine/core/text.js';
import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { InstanceView } from '../../../activities/instances.js';
import type { Draft } from '../../../engine/plan/planning.js';
import { paths } from '../../../contract/wire/paths.js';
import { planAddressFaults } from '../steps/address-faults.js';
import {
  boundFaults,
  chooseParts,
  heldFaults,
  isShared,
  looseFault,
  type ChosenParts,
} from '../steps/choose-parts.js';
import { placeOf } from '../steps/delete-run.js';
import { readFloatingIps } from '../steps/loose-parts.js';
import {
  describeKept,
  describeLostFloatingIp,
  lookAtVolume,
  nameAndId,
  planLostVolume,
  type DeletePlanRun,
} from './delete-plan-run.js';

interface Parts {
  instance: InstanceView;
  volumes: ChosenParts;
  floatingIps: ChosenParts;
  /** The floating IPs of the instance. */
  attached: readonly FloatingIpView[];
}

/** Plans the deletion of an existing instance and its parts. */
export async function planParts(
  run: DeletePlanRun,
  draft: Draft,
  instance: InstanceView,
): Promise<void> {
  const { prepared, reads } = run;
  const place = placeOf(prepared);
  const seen = await draft.look('the floating IPs', () =>
    readFloatingIps(reads.listFloatingIpsOfInstance, { place, instance }),
  );
  const attached = seen.is === 'there' ? seen.value : [];
  const parts: Parts = {
    instance,
    attached,
    volumes: chooseParts(prepared.volumes, instance.volumeIds),
    floatingIps: chooseParts(
      prepared.floatingIps,
      attached.map(({ id }) => id),
    ),
  };
  const guard = await draft.look('the floating IP that forbids it', () =>
    planAddressFaults(run, instance.id),
  );
  for (const fault of guard.is === 'there' ? guard.value : []) draft.fault(fault);
  await checkLoose(run, draft, parts);
  const taken = await planVolumes(run, draft, parts);
  for (const fault of boundFaults(instance, taken)) draft.fault(fault);
  planFloatingIps(draft, parts);
  planCalls(run, draft, { ...parts, taken });
}

/** A named part that is not attached must be gone already; otherwise it is a fault. */
async function checkLoose(
  { prepared, reads }: DeletePlanRun,
  draft: Draft,
  { volumes, floatingIps }: Parts,
): Promise<void> {
  const place = placeOf(prepared);
  for (const id of volumes.loose) {
    const seen = await draft.look(`volume ${id}`, () => reads.getVolume({ ...place, id }));
    if (seen.is === 'there') draft.fault(looseFault('volumes', id));
  }
  for (const id of floatingIps.loose) {
    const seen = await draft.look(`floating IP ${id}`, () => reads.getFloatingIp({ ...place, id }));
    if (seen.is === 'there') draft.fault(looseFault('floatingIps', id));
  }
}

/** Gives the ids of those that would be deleted: what another instance has too stays. */
async function planVolumes(
  run: DeletePlanRun,
  draft: Draft,
  { instance, volumes }: Parts,
): Promise<string[]> {
  const { prepared } = run;
  const instanceName = nameAndId(instance.id, instance.name);
  draft.irreversible.push(`Instance ${instanceName} cannot be restored.`);
  const taken: string[] = [];
  const chosen = new Set(volumes.chosen);
  for (const id of [...volumes.chosen, ...volumes.kept]) {
    const seen = await lookAtVolume(run, draft, id);
    const volume = seen.is === 'there' ? seen.value : undefined;
    const name = volume?.name;
    const held = volume === undefined ? [] : heldFaults([{ ...volume, id }], instance.id);
    if (!chosen.has(id)) {
      draft.warn({ path: 'volumes', message: describeKept('Volume', id, name) });
    } else if (volume !== undefined && held.length > 0) {
      const stays = prepared.volumes === 'delete' && isShared(volume, instance.id);
      for (const fault of held) (stays ? draft.warn : draft.fault)(fault);
    } else {
      planLostVolume(draft, id, volume);
      taken.push(id);
    }
  }
  return taken;
}

function planFloatingIps(draft: Draft, { attached, floatingIps }: Parts): void {
  const chosen = new Set(floatingIps.chosen);
  for (const { id, address } of attached) {
    if (chosen.has(id)) draft.irreversible.push(describeLostFloatingIp(id, address));
    else draft.warn({ path: 'floatingIps', message: describeKept('Floating IP', id, address) });
  }
}

function planCalls(
  { prepared }: DeletePlanRun,
  draft: Draft,
  { instance, taken, floatingIps }: Parts & { taken: readonly string[] },
): void {
  const place = placeOf(prepared);
  const path = paths.instance(place, instance.id);
  const count = taken.length;
  const purpose = count === 0 ? 'delete the instance' : `delete it with ${plural(count, 'volume')}`;
  draft.calls.push(
    { method: 'GET', path: paths.floatingIps(place), purpose: 'find its floating IPs' },
    { method: 'DELETE', path, purpose },
    ...floatingIps.chosen.map((id) => ({
      method: 'DELETE',
      path: paths.floatingIp(place, id),
      purpose: 'delete the floating IP',
    })),
    { method: 'GET', path, purpose: 'check until everything chosen is gone' },
  );
}
