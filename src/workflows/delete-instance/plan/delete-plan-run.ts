import type { VolumeView } from '../../../activities/lookups.js';
import type { PreparedDeleteInstance } from '../../../contract/wire/prepared.js';
import type { Draft } from '../../../engine/plan/planning.js';
import type { PlanRun } from '../../gcore.js';
import { placeOf } from '../steps/delete-run.js';

/** The prepared input and the API reads of this plan. */
export type DeletePlanRun = PlanRun<PreparedDeleteInstance>;

/** Looks at a volume that may be deleted. */
export function lookAtVolume({ prepared, reads }: DeletePlanRun, draft: Draft, id: string) {
  const read = prepared.unlessSnapshots === true ? reads.getUsedVolume : reads.getVolume;
  return draft.look(`volume ${id}`, () => read({ ...placeOf(prepared), id }));
}

/** Says of a volume that is to go what is lost, and which snapshot forbids it. */
export function planLostVolume(draft: Draft, id: string, volume: VolumeView | undefined): void {
  draft.irreversible.push(`Volume ${nameAndId(id, volume?.name)} and its data cannot be restored.`);
  if (volume?.snapshotId === undefined) return;
  draft.fault({
    path: 'unlessSnapshots',
    message: `There is a snapshot of volume ${id}: ${volume.snapshotId}`,
    advice: 'The run would block until it is gone. Keep the volume, or delete the snapshot.',
  });
}

/** Returns the name with the id, for example `boot (2b7c…)`. */
export function nameAndId(id: string, name: string | undefined): string {
  return name === undefined ? id : `${name} (${id})`;
}

export function describeLostFloatingIp(id: string, address: string | undefined): string {
  return `Floating IP ${nameAndId(id, address)} returns to the pool: somebody else may get the address.`;
}

export function describeKept(kind: string, id: string, name: string | undefined): string {
  return `${kind} ${nameAndId(id, name)} is kept and keeps costing money`;
}
