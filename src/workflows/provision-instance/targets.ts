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
  prepared: PreparedProvisionInstance,
  asked: CreateInstanceBody,
): Target[] {
  const { projectId, regionId, alternatives = [] } = prepared;
  const wanted = [{}, ...alternatives].map((alternative: Partial<Alternative>) => ({
    regionId: alternative.regionId ?? regionId,
    flavor: alternative.flavor ?? asked.flavor,
  }));
  return wanted.map((target) => ({
    place: { projectId, regionId: target.regionId },
    body: { ...asked, flavor: target.flavor },
    flavors: wanted
      .filter((other) => other.regionId === target.regionId)
      .map((other) => other.flavor),
  }));
}

type Alternative = NonNullable<PreparedProvisionInstance['alternatives']>[number];

/** `g2-standard-2-4 in region 76` */
export function nameOf({ body, place }: Target): string {
  return `${body.flavor} in region ${place.regionId}`;
}
