import type { ImageView } from '../../../activities/lookups.js';
import type { CreateInstanceBody } from '../../../contract/api/create-instance-body.js';
import type { Draft } from '../../../engine/plan/planning.js';
import type { Flavors } from './check-flavors.js';
import type { Images } from './check-parts.js';

interface Known {
  images: Images;
  flavors: Flavors;
}

/** Checks the body against the images that it names. Makes no reads. */
export function checkBody(
  draft: Pick<Draft, 'fault' | 'warn'>,
  body: CreateInstanceBody,
  { images, flavors }: Known,
): void {
  for (const [index, volume] of body.volumes.entries()) {
    if (volume.source !== 'image') continue;
    const image = images.get(volume.image_id);
    if (image === undefined) continue;
    checkSize(draft, { image, size: volume.size, path: `instance.volumes[${index}].size` });
    checkRam(draft, { image, flavor: body.flavor, ram: flavors.get(body.flavor) });
  }
  checkBoot(draft, body);
  checkCredentials(draft, body, bootImage(body, images)?.osType);
}

type Findings = Pick<Draft, 'fault' | 'warn'>;

function checkSize(
  draft: Findings,
  { image, size, path }: { image: ImageView; size: number | undefined; path: string },
): void {
  const least = image.minDisk === undefined ? '' : ` of at least ${image.minDisk} GiB`;
  if (size === undefined) {
    draft.warn({
      path,
      message: 'is missing: only basic VMs have a default size',
      advice: `Give a size${least}.`,
    });
  } else if (image.minDisk !== undefined && size < image.minDisk) {
    draft.fault({
      path,
      message: `${size} GiB is too small for the image ${image.name}`,
      advice: `Give a size${least}.`,
    });
  }
}

function checkRam(
  draft: Findings,
  { image, flavor, ram }: { image: ImageView; flavor: string; ram: number | undefined },
): void {
  if (ram === undefined || image.minRam === undefined || ram >= image.minRam) return;
  draft.fault({
    path: 'instance.flavor',
    message: `${flavor} has ${ram} MiB of RAM; the image ${image.name} needs ${image.minRam}`,
    advice: 'Choose a flavor with more RAM.',
  });
}

function checkBoot(draft: Findings, { volumes }: CreateInstanceBody): void {
  const indexes = volumes.map((volume) => ('boot_index' in volume ? volume.boot_index : undefined));
  for (const [index, bootIndex] of indexes.entries()) {
    if (bootIndex === undefined || bootIndex < 0 || indexes.indexOf(bootIndex) === index) continue;
    draft.fault({
      path: `instance.volumes[${index}].boot_index`,
      message: `${bootIndex} is also the boot_index of another volume`,
      advice: '0 boots first. Give each other volume its own number.',
    });
  }
  if (volumes.some(({ source }) => source !== 'new-volume')) return;
  draft.warn({
    path: 'instance.volumes',
    message: 'all volumes are new and empty: there is nothing to boot from',
    advice: 'Add a volume from an image, a snapshot, a template, or an existing one.',
  });
}

/** The image of the volume that boots first, if the body says which one does. */
function bootImage({ volumes }: CreateInstanceBody, images: Images): ImageView | undefined {
  const bootable = volumes.filter(({ source }) => source !== 'new-volume');
  const first = bootable.find((volume) => 'boot_index' in volume && volume.boot_index === 0);
  const boot = first ?? (bootable.length === 1 ? bootable[0] : undefined);
  return boot?.source === 'image' ? images.get(boot.image_id) : undefined;
}

/** What the API does with passwords and user names depends on the operating system. */
function checkCredentials(
  draft: Findings,
  { username, password, user_data: userData, ssh_key_name: key }: CreateInstanceBody,
  osType: string | undefined,
): void {
  if (username !== undefined && osType !== 'linux') {
    const add = osType === 'windows' ? draft.fault : draft.warn;
    add({
      path: 'instance.username',
      message: 'is not allowed for Windows: "password" sets the password of the user Admin',
      advice: 'Leave it out. A script in "user_data" can make other users.',
    });
  }
  if (password !== undefined && userData !== undefined && osType !== 'windows') {
    draft.warn({
      path: 'instance.user_data',
      message: 'is ignored by the API on Linux when "password" is set',
      advice: 'Leave out one of the two. A script in user_data can set a password too.',
    });
  }
  if (password === undefined && userData === undefined && typeof key !== 'string') {
    draft.warn({
      path: 'instance',
      message: 'has no SSH key, no password and no user_data: perhaps nobody can log in',
    });
  }
}
