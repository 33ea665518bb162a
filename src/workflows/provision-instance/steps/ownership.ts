import type { InstanceView } from '../../../activities/instances.js';
import { common, without } from '../../../engine/core/lists.js';
import { namespaceIdOf, runIdOf } from '../../../engine/core/identity.js';
import type { PreparedProvisionInstance } from '../../../contract/wire/prepared.js';
import { prepareActivities } from '../../shared/prepare-activities.js';
import type { MakerRun, Run } from '../../gcore.js';
import type { Verdict } from '../../../engine/send/verdict.js';
import { judgeInstances, type AskedInstance } from './judge-instances.js';
import type { CreateRequest, Leftovers } from './create-request.js';

export function noLeftovers(): Leftovers {
  return { makers: new Set(), instances: new Map() };
}

/** What a search by the marker of the request needs. */
export function markedSearch({ marker, maker }: { marker: string; maker: string }) {
  return { marker, namespaceId: namespaceIdOf(maker) };
}

/**
 * Judges what carries the marker of the request. A broken instance is a leftover only when the run may
 * remove it. One of an earlier success blocks: it may hold data.
 */
export async function judgeFound(
  run: Run<PreparedProvisionInstance>,
  found: readonly InstanceView[],
  { leftovers, ...asked }: Pick<AskedInstance, 'flavors' | 'name'> & { leftovers: Leftovers },
): Promise<Verdict<InstanceView>> {
  const verdict = judgeInstances(found, { ...asked, maker: run.prepared.maker });
  if (verdict.kind !== 'leftover') return verdict;
  const kept: InstanceView[] = [];
  for (const instance of found) {
    if (await noteLeftover(run, leftovers, instance)) continue;
    if (run.prepared.replaceBroken === true) leftovers.instances.set(instance.id, instance);
    else kept.push(instance);
  }
  if (kept.length > 0) return keptVerdict(kept);
  return { ...verdict, isForeign: found.every(({ maker }) => maker !== run.prepared.maker) };
}

/** Whether this run, or an earlier one that ended without success, made the instance. */
export async function noteLeftover(
  { prepared }: MakerRun,
  leftovers: Leftovers,
  { maker }: InstanceView,
): Promise<boolean> {
  if (maker === undefined) return false;
  if (maker === prepared.maker || leftovers.makers.has(maker)) return true;
  const runId = runIdOf(maker);
  const isLeftover = await prepareActivities.endedWithoutSuccess({ runId });
  if (isLeftover) leftovers.makers.add(maker);
  return isLeftover;
}

function keptVerdict(kept: readonly InstanceView[]): Verdict<InstanceView> {
  const names = kept.map(({ id, status }) => `instance ${id} in status ${status}`).join(', ');
  return {
    kind: 'contradiction',
    note: `An earlier run of this request made ${names}, and it may have succeeded.`,
    advice:
      'It may hold data, so the run leaves it alone. Repair or delete it and `resume`; or `resume` with "replaceBroken": true in the input: then the run deletes it with its volumes and makes a new one. `abort` ends the run.',
  };
}

/** The instances that the run may remove, or that are to be named. */
export async function listOwnInstances(
  { api, prepared }: MakerRun,
  { place, leftovers, madeBy }: CreateRequest,
): Promise<InstanceView[]> {
  const listed = await api.reads.listInstances({ ...place, ...markedSearch(prepared) });
  const { maker: own } = prepared;
  if (madeBy === 'request') return listed;
  if (madeBy === 'earlier') return listed.filter(({ maker }) => maker !== own);
  return listed.filter(
    ({ id, maker = '' }) =>
      maker === own || leftovers.makers.has(maker) || leftovers.instances.has(id),
  );
}

/** The volumes that the run may remove, or that are to be named. Of a given-up instance these are the attached ones of its maker. */
export async function listOwnVolumes(
  { api, prepared }: MakerRun,
  { place, leftovers, broughtVolumeIds, madeBy }: CreateRequest,
): Promise<string[]> {
  const search = { ...place, ...markedSearch(prepared) };
  const { maker: own } = prepared;
  if (madeBy === 'earlier') {
    const listed = await api.reads.listVolumes(search);
    const ours = await api.reads.listVolumes({ ...search, makers: [own] });
    return without(listed, ours, broughtVolumeIds);
  }
  const makers = [own, ...leftovers.makers];
  const found = await api.reads.listVolumes({ ...search, makers });
  for (const { maker, volumeIds } of leftovers.instances.values()) {
    if (makers.includes(maker ?? '')) continue;
    const marked = await api.reads.listVolumes({ ...search, makers: [maker ?? null] });
    found.push(...common(marked, volumeIds));
  }
  return without(found, broughtVolumeIds);
}
