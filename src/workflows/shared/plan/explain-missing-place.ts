import type { Place } from '../../../contract/wire/place.js';
import type { Draft } from '../../../engine/plan/planning.js';
import type { PlanReads } from '../../gcore.js';

/** Finds out whether the project or the region is missing when a list is not found. */
export async function explainMissingPlace(
  reads: PlanReads,
  draft: Draft,
  { place: { projectId, regionId }, regionPath }: { place: Place; regionPath: string },
): Promise<void> {
  const projects = await draft.look('the projects', () => reads.listProjectIds());
  if (projects.is === 'there' && !projects.value.includes(projectId)) {
    draft.fault({
      path: 'projectId',
      message: `There is no project ${projectId}`,
      advice: `Name one of yours: ${projects.value.join(', ')}.`,
    });
    return;
  }
  const regions = await draft.look('the regions', () => reads.listRegionIds());
  const known = regions.is === 'there' ? regions.value : [];
  const isUnknown = regions.is === 'there' && !known.includes(regionId);
  draft.fault({
    path: regionPath,
    message: isUnknown
      ? `There is no region ${regionId}`
      : `Project ${projectId} finds nothing in region ${regionId}`,
    advice: known.length === 0 ? 'Check the ids.' : `Regions are: ${known.join(', ')}.`,
  });
}
