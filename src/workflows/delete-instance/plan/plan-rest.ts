import type { Draft } from '../../../engine/plan/planning.js';
import { paths } from '../../../contract/wire/paths.js';
import { chooseParts, looseFault, unmadeFault } from '../steps/choose-parts.js';
import { placeOf } from '../steps/delete-run.js';
import { otherHolderOfFloatingIp, otherHolderOfVolume, ownIds } from '../../shared/holders.js';
import {
  describeKept,
  describeLostFloatingIp,
  lookAtVolume,
  planLostVolume,
  type DeletePlanRun,
} from './delete-plan-run.js';

/** Plans the deletion of named parts, and of volumes of the request, when the instance is gone. */
export async function planRest(run: DeletePlanRun, draft: Draft): Promise<void> {
  const { target } = run.prepared;
  const isById = 'instanceId' in target;
  draft.warn({
    path: isById ? 'instanceId' : 'madeBy',
    message: isById
      ? `Instance ${target.instanceId} is gone already`
      : `${target.madeBy} no longer has an instance, or lists do not show it yet`,
    advice:
      'Its parts can no longer be found by the instance: name the parts to delete by their ids.',
  });
  await planVolumes(run, draft);
  await planFloatingIps(run, draft);
}

/** The volumes of the request that made the instance. Nothing of a request that has made nothing is a fault. */
async function markedVolumes({ prepared, reads }: DeletePlanRun, draft: Draft): Promise<string[]> {
  const { target } = prepared;
  if (!('marker' in target)) return [];
  const { marker, namespaceId } = target;
  const listed = await draft.look('the volumes of the request', () =>
    reads.listVolumes({ ...placeOf(prepared), marker, namespaceId }),
  );
  if (listed.is !== 'there') return [];
  const unmade = unmadeFault(target, listed.value);
  if (unmade !== undefined) draft.fault(unmade);
  return listed.value;
}

async function planVolumes(run: DeletePlanRun, draft: Draft): Promise<void> {
  const { prepared } = run;
  const { target, volumes } = prepared;
  const place = placeOf(prepared);
  const marked = await markedVolumes(run, draft);
  const { chosen, loose, kept } = chooseParts(volumes, marked);
  for (const id of kept) {
    draft.warn({ path: 'volumes', message: describeKept('Volume', id, undefined) });
  }
  const instanceId = 'instanceId' in target ? target.instanceId : undefined;
  for (const id of [...chosen, ...loose]) {
    const seen = await lookAtVolume(run, draft, id);
    if (seen.is !== 'there') continue;
    const holder = otherHolderOfVolume(seen.value, ownIds(instanceId));
    if (holder !== undefined) {
      const add = volumes === 'delete' ? draft.warn : draft.fault;
      add(looseFault('volumes', id, holder));
      continue;
    }
    planLostVolume(draft, id, seen.value);
    planDelete(draft, paths.volume(place, id), 'delete the volume');
  }
}

async function planFloatingIps({ prepared, reads }: DeletePlanRun, draft: Draft): Promise<void> {
  const { target, floatingIps } = prepared;
  const place = placeOf(prepared);
  const instanceId = 'instanceId' in target ? target.instanceId : undefined;
  for (const id of Array.isArray(floatingIps) ? floatingIps : []) {
    const seen = await draft.look(`floating IP ${id}`, () => reads.getFloatingIp({ ...place, id }));
    if (seen.is !== 'there') continue;
    const holder = otherHolderOfFloatingIp(seen.value, { instanceIds: ownIds(instanceId) });
    if (holder !== undefined) {
      draft.fault(looseFault('floatingIps', id, holder));
      continue;
    }
    draft.irreversible.push(describeLostFloatingIp(id, seen.value.address));
    planDelete(draft, paths.floatingIp(place, id), 'delete the floating IP');
  }
}

function planDelete(draft: Draft, path: string, purpose: string): void {
  draft.calls.push(
    { method: 'DELETE', path, purpose },
    { method: 'GET', path, purpose: 'check until it is gone' },
  );
}
