import type { Target } from '../targets.js';

/** The first target of each region: what a look at a region is made for. */
export function firstOfRegions(targets: readonly Target[]): Target[] {
  const regionOf = ({ place }: Target): number => place.regionId;
  return targets.filter(
    (target, index) => targets.findIndex((other) => regionOf(other) === regionOf(target)) === index,
  );
}
