import type { CreateInstanceBody } from '../../contract/api/create-instance-body.js';
import type { Place } from '../../contract/wire/names.js';
import type { PreparedProvisionInstance } from '../../contract/wire/prepared.js';

/** The first target of each region, for looks that concern the whole region. */
export function firstOfRegions(targets: readonly Target[]): Target[] {
  const regionOf = ({ place }: Target): number => place.regionId;
  return targets.filter(
    (target, index) => targets.findIndex((other) => regionOf(other) === regionOf(target)) === index,
  );
}

/** One way to fulfil a request: what to create, and where. */
export interface Target {
  place: Place;
  body: CreateInstanceBody;
  /** All flavors that the caller accepts in this place. */
  flavors: string[];
}

/** The requested target, then the caller's alternatives in their order. */
export function targetsOf(
  prepared: Pick<PreparedProvisionInstance, 'projectId' | 'regionId' | 'alternatives'>,
  asked: CreateInstanceBody,
): Target[] {
  const { projectId, regionId, alternatives = [] } = prepared;
  const body = withApiIds(asked);
  const wanted = [{}, ...alternatives].map((alternative: Partial<Alternative>) => ({
    regionId: alternative.regionId ?? regionId,
    flavor: alternative.flavor ?? asked.flavor,
  }));
  return wanted.map((target) => ({
    place: { projectId, regionId: target.regionId },
    body: { ...body, flavor: target.flavor },
    flavors: wanted
      .filter((other) => other.regionId === target.regionId)
      .map((other) => other.flavor),
  }));
}

/**
 * What the caller brings is known again by its id, so that it is never taken for something that the run has made. The API
 * writes ids in lower case, a caller may write them in capitals.
 */
function withApiIds(body: CreateInstanceBody): CreateInstanceBody {
  const { volumes, interfaces } = body;
  return {
    ...body,
    volumes: volumes.map((volume) =>
      volume.source === 'existing-volume'
        ? { ...volume, volume_id: volume.volume_id.toLowerCase() }
        : volume,
    ),
    interfaces: interfaces.map(withApiFloatingIp),
  };
}

type Interface = CreateInstanceBody['interfaces'][number];

function withApiFloatingIp(item: Interface): Interface {
  if (item.type === 'external' || item.floating_ip?.source !== 'existing') return item;
  const { existing_floating_id: id } = item.floating_ip;
  const floatingIp = { ...item.floating_ip, existing_floating_id: id.toLowerCase() };
  return { ...item, floating_ip: floatingIp };
}

type Alternative = NonNullable<PreparedProvisionInstance['alternatives']>[number];

/** `g2-standard-2-4 in region 76` */
export function nameOf({ body, place }: Target): string {
  return `${body.flavor} in region ${place.regionId}`;
}
