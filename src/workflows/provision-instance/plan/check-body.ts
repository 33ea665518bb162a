import type { ImageView } from '../../../activities/lookups.js';
import type { CreateInstanceBody } from '../../../contract/api/create-instance-body.js';
import type { Draft } from '../../../engine/plan/planning.js';
import { checkImageSize } from '../../shared/plan/plan-parts.js';
import type { Flavors } from './check-flavors.js';
import { bootImageId, checkCredentials } from './check-credentials.js';
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
    checkImageSize(draft, { image, size: volume.size, path: `instance.volumes[${index}].size` });
    checkRam(draft, { image, flavor: body.flavor, ram: flavors.get(body.flavor) });
  }
  checkBoot(draft, body);
  const id = bootImageId(body);
  checkCredentials(draft, body, id === undefined ? undefined : images.get(id)?.osType);
}

type Findings = Pick<Draft, 'fault' | 'warn'>;

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
  if (volumes.some(({ source }) => source !== 'new-volume')) {
    if (indexes.includes(0)) return;
    draft.warn({
      path: 'instance.volumes',
      message: 'none has the boot_index 0: the instance may not boot',
      advice: 'Set "boot_index": 0 on the volume with the operating system.',
    });
    return;
  }
  draft.warn({
    path: 'instance.volumes',
    message: 'all volumes are new and empty: there is nothing to boot from',
    advice: 'Add a volume from an image, a snapshot, a template, or an existing one.',
  });
}
