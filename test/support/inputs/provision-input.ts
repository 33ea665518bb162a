import type { ProvisionInstanceInput } from '../../../src/contract/operations/types.js';

export const CREATE_PATH = '/cloud/v2/instances/1/1';

type Input = Omit<ProvisionInstanceInput, 'account'>;

/** Windows takes user data beside a password; on Linux the API would ignore them. */
export const WINDOWS_VOLUME = {
  source: 'image' as const,
  image_id: '7c1c9a0e-0b1f-4d4f-8a55-6a4d0a0f5d11',
  size: 60,
  boot_index: 0,
};

/** A request with one volume. The volume stays when its instance is deleted. */
export function provisionInput(
  instance: Partial<ProvisionInstanceInput['instance']> = {},
  rest: Partial<Input> = {},
): Input {
  return {
    projectId: 1,
    regionId: 1,
    instance: {
      name: 'web-1',
      flavor: 'g2-standard-2-4',
      interfaces: [{ type: 'external' }],
      volumes: [
        {
          source: 'image',
          image_id: 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1',
          size: 20,
          boot_index: 0,
        },
      ],
      ...instance,
    },
    ...rest,
  };
}
