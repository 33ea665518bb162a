import type {
  FloatingIpPage,
  FloatingIpsOfInstance,
  FloatingIpView,
} from '../../../activities/floating-ips.js';
import type { InstanceView } from '../../../activities/instances.js';
import type { Place } from '../../../contract/wire/place.js';

type ReadPage = (input: FloatingIpsOfInstance) => Promise<FloatingIpPage>;

/** Returns the floating addresses that the instance itself shows. */
export function floatingAddressesOf({ addresses }: Pick<InstanceView, 'addresses'>): string[] {
  return addresses.filter(({ type }) => type === 'floating').map(({ address }) => address);
}

/** Reads all floating IPs of the instance, from every page. */
export async function readFloatingIps(
  readPage: ReadPage,
  { place, instance }: { place: Place; instance: Pick<InstanceView, 'id' | 'addresses'> },
): Promise<FloatingIpView[]> {
  const { id: instanceId } = instance;
  const addresses = floatingAddressesOf(instance);
  const found = new Map<string, FloatingIpView>();
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const page: FloatingIpPage = await readPage({ ...place, instanceId, addresses, offset });
    for (const item of page.floatingIps) found.set(item.id, item);
    offset = page.next;
  }
  return [...found.values()];
}
