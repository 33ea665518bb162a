/** Any UUID of version 4. */
export const A_UUID = '5f0e3c1a-5df5-4e0e-8b69-3c0d7e5d2f10';

/** An image of the stock of every simulator. */
const UBUNTU = 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1';

/** The smallest valid create body; `change` replaces or adds fields. */
export function createBody(change: Record<string, unknown> = {}) {
  return {
    flavor: 'g2-standard-2-4',
    interfaces: [{ type: 'external' as const }],
    volumes: [{ source: 'image' as const, image_id: UBUNTU, size: 20, boot_index: 0 }],
    ...change,
  };
}

/** A create body with one interface. */
export function withInterface(item: unknown) {
  return createBody({ interfaces: [item] });
}

/** A create body with one volume. */
export function withVolume(item: unknown) {
  return createBody({ volumes: [item] });
}
