import type { CreateInstanceBody } from '../../../contract/api/create-instance-body.js';
import type { Draft } from '../../../engine/plan/planning.js';

/** The image of the volume that boots first, if the body says which one does. */
export function bootImageId({ volumes }: CreateInstanceBody): string | undefined {
  const bootable = volumes.filter(({ source }) => source !== 'new-volume');
  const first = bootable.find((volume) => 'boot_index' in volume && volume.boot_index === 0);
  const boot = first ?? (bootable.length === 1 ? bootable[0] : undefined);
  return boot?.source === 'image' ? boot.image_id : undefined;
}

/** Whether the API takes all that the body says depends on the operating system. */
export function dependsOnSystem({
  username,
  password,
  user_data: data,
}: CreateInstanceBody): boolean {
  return username !== undefined || (password !== undefined && data !== undefined);
}

/**
 * What the API does with passwords and user names depends on the operating system: on Windows it knows no user name,
 * on Linux it ignores user data beside a password, and the machine would come up without it.
 */
export function checkCredentials(
  draft: Pick<Draft, 'fault' | 'warn'>,
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
    const add = osType === 'linux' ? draft.fault : draft.warn;
    add({
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
