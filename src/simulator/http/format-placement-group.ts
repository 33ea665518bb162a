import { findRegion } from '../state/catalog.js';
import type { PlacementGroupEntity } from '../state/rows.js';
import type { World } from '../state/world.js';

export type PlacementGroupObject = ReturnType<typeof formatPlacementGroup>;

export function formatPlacementGroup(world: World, group: Readonly<PlacementGroupEntity>) {
  return {
    servergroup_id: group.id,
    name: group.name,
    policy: group.policy,
    project_id: group.projectId,
    region_id: group.regionId,
    region: findRegion(group.regionId)?.display_name ?? '',
    instances: world.instances
      .filter(({ placementGroupId }) => placementGroupId === group.id)
      .map(({ id, name }) => ({ instance_id: id, instance_name: name })),
  };
}
