import type { FloatingIpView } from '../../../activities/floating-ips.js';
import type { VolumeView } from '../../../activities/lookups.js';
import { orUndefinedIfGone } from '../../../engine/run/failures.js';
import { placeOf, type DeleteRun } from './delete-run.js';

/** Reads the volumes with these ids and leaves out those that do not exist. */
export async function existingVolumes(
  run: DeleteRun,
  ids: readonly string[],
): Promise<(VolumeView & { id: string })[]> {
  const place = placeOf(run.prepared);
  const seen: (VolumeView & { id: string })[] = [];
  for (const id of ids) {
    const volume = await orUndefinedIfGone(run.api.reads.getVolume({ ...place, id }));
    if (volume !== undefined) seen.push({ ...volume, id });
  }
  return seen;
}

/** Reads the floating IPs with these ids and leaves out those that do not exist. */
export async function existingFloatingIps(
  run: DeleteRun,
  ids: readonly string[],
): Promise<FloatingIpView[]> {
  const place = placeOf(run.prepared);
  const seen: FloatingIpView[] = [];
  for (const id of ids) {
    const view = await orUndefinedIfGone(run.api.reads.getFloatingIp({ ...place, id }));
    if (view !== undefined) seen.push(view);
  }
  return seen;
}
