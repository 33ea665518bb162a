import type { CreateInstanceBody } from '../../../contract/api/create-instance-body.js';

/** The caller's own volumes: the create attaches them, and no run removes them. */
export function broughtVolumeIds({ volumes }: CreateInstanceBody): string[] {
  return volumes.flatMap((volume) =>
    volume.source === 'existing-volume' ? [volume.volume_id] : [],
  );
}
