import type { InstanceView } from '../../../activities/instances.js';
import type { CreateInstanceBody } from '../../../contract/api/create-instance-body.js';
import type { Place } from '../../../contract/wire/names.js';
import type { Resource } from '../../../engine/core/status.js';
import type { MadeBy, Mutation } from '../../../engine/send/mutation.js';
import type { Target } from '../targets.js';

/** The caller's own volumes: the create attaches them, and no run removes them. */
export function broughtVolumeIds({ volumes }: CreateInstanceBody): string[] {
  return volumes.flatMap((volume) =>
    volume.source === 'existing-volume' ? [volume.volume_id] : [],
  );
}

/** The caller's own floating IPs. */
export function broughtFloatingIpIds({ interfaces }: CreateInstanceBody): string[] {
  return interfaces.flatMap((item) =>
    item.type !== 'external' && item.floating_ip?.source === 'existing'
      ? [item.floating_ip.existing_floating_id]
      : [],
  );
}

/** A task may name what it has attached beside what it has made. */
export function isBrought(body: CreateInstanceBody, id: string): boolean {
  return [...broughtVolumeIds(body), ...broughtFloatingIpIds(body)].includes(id);
}

/** The create call of one target. */
export interface CreateMutation extends Mutation<InstanceView> {
  /** Lets `remove` take an instance whose create has failed, whichever run of the request sent it. */
  giveUp(instance: InstanceView): Promise<void>;
  target: Target;
  /** What this run made, or whoever it was, as far as the API shows it now. */
  listMade(taskIds: readonly string[], by?: MadeBy): Promise<Resource[]>;
}

/** Where a create request was sent, and what it may have made. */
export interface CreateRequest {
  place: Place;
  /** How many new volumes and floating IPs it asks for: it cannot make more. Floating IPs carry no marker. */
  asked: Asked;
  /** The caller's own volumes that the create attaches. They stay, whatever their tags. */
  broughtVolumeIds: readonly string[];
  /** The same of floating IPs. */
  broughtFloatingIpIds: readonly string[];
  leftovers: Leftovers;
  /** To list what the request, or only its earlier runs, made, whichever run that was. Never for a removal. */
  madeBy?: MadeBy;
}

/**
 * What the run may remove although it has not made it: broken instances of earlier runs of its request
 * that ended without success, or that the caller has given up.
 */
export interface Leftovers {
  /** Earlier runs that are known to have ended without success. */
  makers: Set<string>;
  instances: Map<string, InstanceView>;
}

interface Asked {
  volumes: number;
  floatingIps: number;
}

/** What a create with this body can make at most, beside its one instance. */
export function askedOf({ volumes, interfaces }: CreateInstanceBody): Asked {
  const isNew = (item: (typeof interfaces)[number]): boolean =>
    item.type !== 'external' && item.floating_ip?.source === 'new';
  return {
    volumes: volumes.filter(({ source }) => source !== 'existing-volume').length,
    floatingIps: interfaces.filter(isNew).length,
  };
}
