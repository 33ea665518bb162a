import { workflowInfo } from '@temporalio/workflow';

import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { InstanceView } from '../../../activities/instances.js';
import { ResourceKind } from '../../../contract/wire/names.js';
import type { MarkedTarget } from '../../../contract/wire/prepared.js';
import { without } from '../../../engine/core/lists.js';
import { firstEvent } from '../../../engine/run/earlier-history.js';
import { leftBefore } from '../../shared/prepare-activities.js';
import { chooseParts, looseFault, refusedFailure, unmadeFault } from './choose-parts.js';
import { placeOf, type DeleteRun, type FoundInstance } from './delete-run.js';
import { otherHolderOfFloatingIp, otherHolderOfVolume, ownIds } from '../../shared/holders.js';
import { existingFloatingIps, existingVolumes, readFloatingIps } from './loose-parts.js';

interface SeenBefore {
  /** The volumes with the marker as an earlier list has shown them: one list may lack one. */
  marked: ReadonlySet<string>;
  /** The instance while another task held it: somebody else has deleted it since. */
  last: InstanceView | undefined;
}

/**
 * Finds the parts that a deleted instance has left: the named ones, and the volumes with the marker of
 * its request. Leaves parts alone that somebody has attached elsewhere since, and those that who deleted the instance has kept.
 */
export async function lookAtRest(
  run: DeleteRun,
  { marked: earlier, last }: SeenBefore,
): Promise<FoundInstance> {
  const { target, volumes, floatingIps } = run.prepared;
  const place = placeOf(run.prepared);
  const instanceId = 'instanceId' in target ? target.instanceId : undefined;
  const listed = 'marker' in target ? await markedVolumes(run, target) : [];
  const marked = [...new Set([...earlier, ...listed])];
  const unmade = unmadeFault(target, marked);
  if (unmade !== undefined) throw refusedFailure([unmade]);
  const left = await leftByEarlier(run);
  const { chosen, kept, loose } = chooseParts(volumes, [...new Set([...marked, ...left.volumes])]);
  const attached = await stillAttached(run, instanceId);
  const attachedIds = attached.map(({ id }) => id);
  const addresses = chooseParts(floatingIps, attachedIds);
  const wanted = new Set(addresses.chosen);
  const seenVolumes = (await existingVolumes(run, [...chosen, ...loose])).map((volume) => ({
    id: volume.id,
    holder: otherHolderOfVolume(volume, ownIds(instanceId)),
  }));
  const unattached = without(left.floatingIps, attachedIds);
  const free = (await existingFloatingIps(run, unattached)).filter(
    (item) => otherHolderOfFloatingIp(item, { instanceIds: ownIds(instanceId) }) === undefined,
  );
  const seenFloatingIps = [
    ...attached.filter(({ id }) => wanted.has(id)),
    ...(await existingFloatingIps(run, addresses.loose)),
    ...free,
  ];
  const faults = [
    ...seenVolumes.flatMap(({ id, holder }) =>
      holder === undefined || volumes === 'delete' ? [] : [looseFault('volumes', id, holder)],
    ),
    ...seenFloatingIps.flatMap((item) => {
      const holder = otherHolderOfFloatingIp(item, { instanceIds: ownIds(instanceId) });
      return holder === undefined ? [] : [looseFault('floatingIps', item.id, holder)];
    }),
  ];
  if (faults.length > 0) throw refusedFailure(faults);
  const used = seenVolumes.filter(({ holder }) => holder !== undefined).map(({ id }) => id);
  const others = await keptByOthers(run, last, [...chosen, ...seenFloatingIps.map(({ id }) => id)]);
  return {
    place,
    instanceId,
    instance: undefined,
    volumeIds: seenVolumes.flatMap(({ id, holder }) => (holder === undefined ? [id] : [])),
    floatingIps: seenFloatingIps,
    kept: {
      volumes: [...kept, ...used, ...others.volumes],
      floatingIps: [...addresses.kept, ...others.floatingIps],
    },
    ...(left.isLeftUnknown && { isLeftUnknown: true }),
  };
}

/**
 * What "delete" would have taken, had this run come first. Whoever did has chosen otherwise, and what is deleted never comes back:
 * so it stays, and is named.
 */
async function keptByOthers(
  run: DeleteRun,
  last: InstanceView | undefined,
  taken: readonly string[],
): Promise<FoundInstance['kept']> {
  const { volumes, floatingIps } = run.prepared;
  if (last === undefined) return { volumes: [], floatingIps: [] };
  const volumeIds = volumes === 'delete' ? last.volumeIds : [];
  const there = await existingVolumes(run, without(volumeIds, taken));
  const read = run.api.reads.listFloatingIpsOfInstance;
  const at = { place: placeOf(run.prepared), instance: last };
  const addresses = floatingIps === 'delete' ? await readFloatingIps(read, at) : [];
  return {
    volumes: there.map(({ id }) => id),
    floatingIps: without(
      addresses.map(({ id }) => id),
      taken,
    ),
  };
}

interface LeftByEarlier extends Pick<FoundInstance, 'isLeftUnknown'> {
  volumes: string[];
  floatingIps: string[];
}

/**
 * The parts that earlier runs of the request were to delete when they ended. Nothing at the API tells what was attached to an
 * instance that is gone.
 */
async function leftByEarlier({ input, prepared }: DeleteRun): Promise<LeftByEarlier> {
  const { volumes, floatingIps } = prepared;
  if (volumes !== 'delete' && floatingIps !== 'delete') return { volumes: [], floatingIps: [] };
  const { parent } = workflowInfo();
  const left = await leftBefore({ input, first: firstEvent(), ...(parent && { parent }) });
  const idsOf = (wanted: ResourceKind): string[] => [
    ...new Set(left?.flatMap(({ kind, id }) => (kind === wanted ? [id] : []))),
  ];
  return {
    ...(left === undefined && { isLeftUnknown: true as const }),
    volumes: volumes === 'delete' ? idsOf(ResourceKind.volume) : [],
    floatingIps: floatingIps === 'delete' ? idsOf(ResourceKind.floatingIp) : [],
  };
}

export function markedVolumes(
  { api, prepared }: DeleteRun,
  { marker, namespaceId }: MarkedTarget,
): Promise<string[]> {
  return api.reads.listVolumes({ ...placeOf(prepared), marker, namespaceId });
}

/** Reads the floating IPs that still name the instance. Fails as `NotFound` when the place is unknown. */
async function stillAttached(
  run: DeleteRun,
  instanceId: string | undefined,
): Promise<FloatingIpView[]> {
  if (instanceId === undefined) return [];
  return readFloatingIps(run.api.reads.listFloatingIpsOfInstance, {
    place: placeOf(run.prepared),
    instance: { id: instanceId, addresses: [] },
  });
}
