import type { InstanceView } from '../../activities/instances.js';
import type { Place } from '../../activities/place.js';
import { ResourceKind } from '../../contract/status.js';
import type { Draft } from '../engine/planning.js';
import { judgeInstances } from '../steps/judge-instances.js';
import type { Target } from '../steps/targets.js';
import { pathOf } from './paths.js';
import type { ProvisionPlanRun } from './plan-provision-instance.js';

export interface Earlier {
  instance: InstanceView;
  place: Place;
}

/**
 * What an earlier try of the same request has left, in all regions that the input names; and which of
 * these regions there are.
 */
export async function lookForEarlier(
  run: ProvisionPlanRun,
  draft: Draft,
  targets: readonly Target[],
): Promise<{ places: Set<number>; earlier: Earlier | undefined }> {
  const { marker } = run.plan;
  const places = new Set<number>();
  const firsts = targets.filter(
    ({ place }, index) =>
      targets.findIndex((other) => other.place.regionId === place.regionId) === index,
  );
  for (const target of firsts) {
    const { place, flavors } = target;
    const seen = await draft.look(`the instances of region ${place.regionId}`, () =>
      run.reads.listInstances({ ...place, marker }),
    );
    if (seen.is === 'missing') await explainMissingPlace(run, draft, { target, targets });
    if (seen.is !== 'there') continue;
    places.add(place.regionId);
    const verdict = judgeInstances(seen.value, flavors);
    if (verdict.kind === 'present') {
      return { places, earlier: { instance: verdict.resource, place } };
    }
    tellRest(draft, verdict, seen.value);
  }
  return { places, earlier: undefined };
}

/** Neither nothing nor something to take over: what that means for the run. */
function tellRest(
  draft: Draft,
  verdict: ReturnType<typeof judgeInstances>,
  found: readonly InstanceView[],
): void {
  if (verdict.kind === 'contradiction') {
    draft.fault({
      message: verdict.note,
      advice: 'Look at what exists, and remove what should not be there.',
    });
  }
  if (verdict.kind === 'leftover') {
    draft.warn({
      message: `Left by an earlier try of this request, to be removed first: ${verdict.note}`,
    });
    for (const { id } of found) draft.irreversible.push(`Deletes the broken instance ${id}.`);
  }
}

/** A list that is not found: is it the project, or the region? */
async function explainMissingPlace(
  run: ProvisionPlanRun,
  draft: Draft,
  { target, targets }: { target: Target; targets: readonly Target[] },
): Promise<void> {
  const { projectId, regionId } = target.place;
  const projects = await draft.look('the projects', () => run.reads.listProjectIds());
  if (projects.is === 'there' && !projects.value.includes(projectId)) {
    draft.fault({
      path: 'projectId',
      message: `There is no project ${projectId}`,
      advice: `Name one of yours: ${projects.value.join(', ')}.`,
    });
    return;
  }
  const regions = await draft.look('the regions', () => run.reads.listRegionIds());
  const known = regions.is === 'there' ? regions.value : [];
  const isUnknown = regions.is === 'there' && !known.includes(regionId);
  draft.fault({
    path: pathOf(targets, target, 'regionId'),
    message: isUnknown
      ? `There is no region ${regionId}`
      : `Project ${projectId} finds nothing in region ${regionId}`,
    advice: known.length === 0 ? 'Check the ids.' : `Regions are: ${known.join(', ')}.`,
  });
}

/** As the ledger of the run would name them. */
export function toAdopted({ id, volumeIds }: InstanceView) {
  return [
    { kind: ResourceKind.instance, id },
    ...volumeIds.map((volumeId) => ({ kind: ResourceKind.volume, id: volumeId })),
  ];
}
