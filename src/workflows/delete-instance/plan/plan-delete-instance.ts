import type { InstanceView } from '../../../activities/instances.js';
import type { MarkedTarget } from '../../../contract/wire/prepared.js';
import { Operation, ResourceKind } from '../../../contract/wire/names.js';
import type { Plan } from '../../../engine/schema/documents.js';
import { createDraft, type Draft } from '../../../engine/plan/planning.js';
import { paths } from '../../../contract/wire/paths.js';
import { explainMissingPlace } from '../../shared/plan/plan-parts.js';
import { placeOf } from '../steps/delete-run.js';
import type { DeletePlanRun } from './delete-plan-run.js';
import { planParts } from './plan-parts.js';
import { planRest } from './plan-rest.js';

/** Plans `deleteInstance`: what it would delete and keep, and whether the choices are possible. */
export async function planDeleteInstance(run: DeletePlanRun): Promise<Plan> {
  const draft = createDraft(Operation.deleteInstance);
  const found = await ('instanceId' in run.prepared.target
    ? findById(run, draft, run.prepared.target)
    : findByMarker(run, draft, run.prepared.target));
  if (found === undefined) return draft.finish();
  if (found.instance === undefined) await planRest(run, draft);
  else await planParts(run, draft, found.instance);
  return draft.finish();
}

/** Without an instance, it is gone. `undefined` when that is unknown; a finding says why. */
type Found = { instance: InstanceView | undefined } | undefined;

async function findById(
  { prepared, reads }: DeletePlanRun,
  draft: Draft,
  { instanceId }: { instanceId: string },
): Promise<Found> {
  const place = placeOf(prepared);
  const path = paths.instance(place, instanceId);
  draft.calls.push({ method: 'GET', path, purpose: 'find the instance' });
  const read = () => reads.getInstance({ ...place, instanceId });
  const seen = await draft.look(`instance ${instanceId}`, read, 'instanceId');
  if (seen.is === 'unchecked') return undefined;
  if (seen.is === 'there') return { instance: seen.value };
  // An unknown place has no instances either.
  const list = () => reads.isPartListed({ ...place, kind: ResourceKind.instance, id: instanceId });
  const listed = await draft.look('the instances', list);
  if (listed.is === 'there' && !listed.value) return { instance: undefined };
  if (listed.is === 'there') {
    draft.warn({
      path: 'instanceId',
      message: `Instance ${instanceId} is not found by its id, but the list has it`,
      advice: 'Plan again. The run looks until it is sure.',
    });
  }
  if (listed.is === 'missing') {
    await explainMissingPlace(reads, draft, { place, regionPath: 'regionId' });
  }
  return undefined;
}

async function findByMarker(
  { prepared, reads }: DeletePlanRun,
  draft: Draft,
  { marker, madeBy, namespaceId }: MarkedTarget,
): Promise<Found> {
  const place = placeOf(prepared);
  const path = paths.instances(place);
  draft.calls.push({ method: 'GET', path, purpose: 'find the instance by its marker' });
  const read = () => reads.listInstances({ ...place, marker, namespaceId });
  const seen = await draft.look(`the instances of ${madeBy}`, read, 'madeBy');
  if (seen.is === 'missing') {
    await explainMissingPlace(reads, draft, { place, regionPath: 'regionId' });
  }
  if (seen.is !== 'there') return undefined;
  const ids = seen.value.map(({ id }) => id);
  if (ids.length <= 1) return { instance: seen.value[0] };
  draft.fault({
    path: 'madeBy',
    message: `${ids.length} instances carry the marker of ${madeBy}: ${ids.join(', ')}`,
    advice: 'Set "instanceId" to the one to delete.',
  });
  return undefined;
}
