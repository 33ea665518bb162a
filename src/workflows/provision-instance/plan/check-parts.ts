import type { ImageView } from '../../../activities/lookups.js';
import type { Place } from '../../../contract/wire/names.js';
import type { CreateInstanceBody } from '../../../contract/api/create-instance-body.js';
import type { Draft } from '../../../engine/plan/planning.js';
import { lookForPart } from '../../shared/plan/plan-parts.js';
import { LIST_PAGE } from '../../../contract/wire/list-walk.js';
import { firstOfRegions, type Target } from '../targets.js';
import type { ProvisionPlanRun } from './provision-plan-run.js';

/** Images of the first region, by id. */
export type Images = ReadonlyMap<string, ImageView>;

/** Checks in each region whether everything that the body names by id exists. */
export async function checkParts(
  run: ProvisionPlanRun,
  draft: Draft,
  targets: readonly Target[],
): Promise<Images> {
  const images = new Map<string, ImageView>();
  for (const { place } of firstOfRegions(targets)) {
    const parts: Parts = { run, draft, place, images };
    const { volumes, interfaces } = run.input.instance;
    for (const [index, volume] of volumes.entries()) {
      await checkVolume(parts, volume, `instance.volumes[${index}]`);
    }
    for (const [index, item] of interfaces.entries()) {
      await checkInterface(parts, item, `instance.interfaces[${index}]`);
    }
  }
  await checkKeyName(run, draft);
  return images;
}

interface Parts {
  run: ProvisionPlanRun;
  draft: Draft;
  place: Place;
  images: Map<string, ImageView>;
}

type Volume = CreateInstanceBody['volumes'][number];
type Interface = CreateInstanceBody['interfaces'][number];

async function checkVolume(parts: Parts, volume: Volume, path: string): Promise<void> {
  const { run, draft, place, images } = parts;
  if (volume.source === 'image') {
    const id = volume.image_id;
    const image = await lookForPart(
      draft,
      { place, kind: 'image', id, path: `${path}.image_id` },
      () => run.reads.getImage({ ...place, id }),
    );
    if (image.is === 'there') images.set(id, image.value);
  }
  if (volume.source === 'existing-volume') {
    const id = volume.volume_id;
    const found = await lookForPart(
      draft,
      { place, kind: 'volume', id, path: `${path}.volume_id` },
      () => run.reads.getVolume({ ...place, id }),
    );
    if (found.is !== 'there' || found.value.status === 'available') return;
    draft.fault({
      path: `${path}.volume_id`,
      message: `Volume ${id} is ${found.value.status}, not available`,
      advice: 'Detach it from its instance, or name another volume.',
    });
  }
}

async function checkInterface(parts: Parts, item: Interface, path: string): Promise<void> {
  const { run, draft, place } = parts;
  if (item.type === 'subnet' || item.type === 'any_subnet') {
    const id = item.network_id;
    await lookForPart(draft, { place, kind: 'network', id, path: `${path}.network_id` }, () =>
      run.reads.getNetwork({ ...place, id }),
    );
  }
  if (item.type === 'subnet') {
    const id = item.subnet_id;
    const subnet = await lookForPart(
      draft,
      { place, kind: 'subnet', id, path: `${path}.subnet_id` },
      () => run.reads.getSubnet({ ...place, id }),
    );
    if (subnet.is === 'there' && subnet.value.networkId !== item.network_id.toLowerCase()) {
      draft.fault({
        path: `${path}.subnet_id`,
        message: `Subnet ${id} belongs to network ${subnet.value.networkId}, not to ${item.network_id}`,
        advice: 'Name a subnet of this network.',
      });
    }
  }
  if (item.type === 'external' || item.floating_ip?.source !== 'existing') return;
  const id = item.floating_ip.existing_floating_id;
  const floating = `${path}.floating_ip.existing_floating_id`;
  await lookForPart(draft, { place, kind: 'floating IP', id, path: floating }, () =>
    run.reads.getFloatingIp({ ...place, id }),
  );
}

/** `ssh_key_name` is a key of the cloud area, not a key for storages. */
async function checkKeyName(
  { input, prepared, reads }: ProvisionPlanRun,
  draft: Draft,
): Promise<void> {
  const name = input.instance.ssh_key_name;
  if (typeof name !== 'string') return;
  const { projectId } = prepared;
  const seen = await draft.look(`the SSH keys of project ${projectId}`, () =>
    reads.findCloudSshKeyNames({ projectId, names: [name] }),
  );
  if (seen.is !== 'there' || seen.value.length > 0) return;
  const storage = await draft.look('the SSH keys for SFTP storage', () =>
    reads.listSshKeyPage({ offset: 0, limit: LIST_PAGE, name }),
  );
  const isForStorage =
    storage.is === 'there' && storage.value.keys.some((key) => key.name === name);
  draft.fault({
    path: 'instance.ssh_key_name',
    message: `There is no SSH key "${name}" in project ${projectId}`,
    advice: isForStorage
      ? 'The registry for SFTP storage has a key of this name. Add it with POST /cloud/v1/ssh_keys too.'
      : 'Check the name, or add the key with POST /cloud/v1/ssh_keys.',
  });
}
