import type { SftpStorageEntity } from './rows.js';
import type { World } from './world.js';

/** What the clock has made of the last change. A deleted storage stays for lists with `show_deleted`. */
export function storageStatus(
  world: World,
  { change, settledAt }: Pick<SftpStorageEntity, 'change' | 'settledAt'>,
): 'active' | 'deleted' | SftpStorageEntity['change'] {
  if (world.now() < settledAt) return change;
  return change === 'deleting' ? 'deleted' : 'active';
}

export function existingStorages(world: World): Readonly<SftpStorageEntity>[] {
  return world.sftpStorages.filter((row) => storageStatus(world, row) !== 'deleted');
}
