import type { InstanceView } from '../../../activities/instances.js';
import { ResourceKind, type Place } from '../../../contract/wire/names.js';
import type { Draft } from '../../../engine/plan/planning.js';
import { judgeInstances } from '../steps/judge-instances.js';
import { markedSearch } from '../steps/ownership.js';
import { firstOfRegions, type Target } from '../targets.js';
import { explainMissingPlace } from '../../shared/plan/plan-parts.js';
import { pathOf, type ProvisionPlanRun } from './provision-plan-run.js';

export interface EarlierInstance {
  instance: InstanceView;
  place: Place;
}

/**
 * Looks for an instance of an earlier try of the same request, in all regions that the input names. Says
 * also which of these regions exist.
 */
export async function lookForEarlierInstance(
  run: ProvisionPlanRun,
  draft: Draft,
  targets: readonly Target[],
): Promise<{ places: Set<number>; earlier: EarlierInstance | undefined }> {
  const search = markedSearch(run.prepared);
  const places = new Set<number>();
  for (const target of firstOfRegions(targets)) {
    const { place, flavors } = target;
    const seen = await draft.look(`the instances of region ${place.regionId}`, () =>
      run.reads.listInstances({ ...place, ...search }),
    );
    if (seen.is === 'missing') {
      const regionPath = pathOf(targets, target, 'regionId');
      await explainMissingPlace(run.reads, draft, { place, regionPath });
    }
    if (seen.is !== 'there') continue;
    places.add(place.regionId);
    const { name } = run.input.instance;
    const { maker } = run.prepared;
    const verdict = judgeInstances(seen.value, { flavors, name, maker });
    if (verdict.kind === 'present') {
      return { places, earlier: { instance: verdict.resource, place } };
    }
    reportUnusable(draft, verdict, seen.value);
  }
  return { places, earlier: undefined };
}

/** Reports instances that the run cannot adopt. */
function reportUnusable(
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
      message: `An earlier try of this request left ${verdict.note}; the run removes it first if that try ended without success, and blocks otherwise`,
      advice:
        'If it is from a success, repair or delete it, or set "replaceBroken" to have it deleted with its volumes.',
    });
    for (const { id } of found) {
      draft.irreversible.push(`May delete the broken instance ${id}.`);
    }
  }
}

/** The resources as the ledger of the run would name them. */
export function toAdopted({ id, volumeIds }: InstanceView) {
  return [
    { kind: ResourceKind.instance, id },
    ...volumeIds.map((volumeId) => ({ kind: ResourceKind.volume, id: volumeId })),
  ];
}
