import type { SentInstanceBody } from '../../contract/api/create-instance-body.js';
import type { Fault } from '../../engine/core/failures.js';
import { isInScope, type Scope } from '../http/scope.js';
import { findAppTemplate } from '../state/app-templates.js';
import { findFlavor } from '../state/catalog.js';
import { findImage } from '../http/find-image.js';
import type { World } from '../state/world.js';
import { faultsOfPort } from './create-port.js';

type VolumeBody = SentInstanceBody['volumes'][number];

/** What the body of a create call names and does not exist, or does not fit. */
export function faultsOfReferences(world: World, scope: Scope, body: SentInstanceBody): Fault[] {
  const { flavor, ssh_key_name: keyName } = body;
  const isKey = world.cloudSshKeys.filter(
    ({ name, projectId }) => name === keyName && projectId === scope.projectId,
  );
  return [
    ...(findFlavor(flavor) === undefined ? [notFound('flavor', `Flavor ${flavor}`)] : []),
    ...(keyName && isKey.length === 0 ? [notFound('ssh_key_name', `SSH key ${keyName}`)] : []),
    ...body.interfaces.flatMap((item, index) =>
      within(`interfaces[${index}]`, faultsOfPort(world, scope, item)),
    ),
    ...body.volumes.flatMap((item, index) =>
      within(`volumes[${index}]`, faultsOfVolume(world, scope, item)),
    ),
    ...faultsOfUser(world, scope, body),
  ];
}

function faultsOfVolume(world: World, scope: Scope, volume: VolumeBody): Fault[] {
  if (volume.source === 'image') {
    const image = findImage(world, scope, volume.image_id);
    if (image === undefined) return [notFound('image_id', `Image ${volume.image_id}`)];
    return tooSmall(volume.size, image.minDisk);
  }
  if (volume.source === 'apptemplate') {
    const { apptemplate_id: id } = volume;
    return findAppTemplate(id) ? [] : [notFound('apptemplate_id', `App template ${id}`)];
  }
  if (volume.source !== 'snapshot') return [];
  const snapshot = world.snapshots.get(volume.snapshot_id);
  if (snapshot === undefined || !isInScope(snapshot, scope)) {
    return [notFound('snapshot_id', `Snapshot ${volume.snapshot_id}`)];
  }
  return tooSmall(volume.size, snapshot.size);
}

function tooSmall(size: number | undefined, least: number): Fault[] {
  if (size === undefined || size >= least) return [];
  return [{ path: 'size', message: `must be at least ${least} GiB` }];
}

/** On Windows only the password of its own user can be set. */
function faultsOfUser(world: World, scope: Scope, body: SentInstanceBody): Fault[] {
  const isWindows = body.volumes.some(
    (volume) =>
      volume.source === 'image' && findImage(world, scope, volume.image_id)?.osType === 'windows',
  );
  if (!isWindows || body.username === undefined) return [];
  return [{ path: 'username', message: 'cannot be given for Windows' }];
}

function notFound(path: string, what: string): Fault {
  return { path, message: `${what} is not found` };
}

function within(path: string, faults: readonly Fault[]): Fault[] {
  return faults.map((fault) => ({ ...fault, path: `${path}.${fault.path}` }));
}
