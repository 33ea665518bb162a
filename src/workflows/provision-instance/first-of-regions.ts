import type { Target } from './targets.js';

/** The first target of each region, for looks that concern the whole region. */
export function firstOfRegions(targets: readonly Target[]): Target[] {
  const regionOf = ({ place }: Target): number => place.regionId;
  return targets.filter(
    (target, index) => targets.findIndex((other) => regionOf(other) === regionOf(target)) === index,
  );
}
