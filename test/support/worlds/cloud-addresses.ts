import { z } from 'zod';

import {
  createCloud,
  FLOATING_IPS,
  INSTANCES,
  PRIVATE_NETWORK,
  PRIVATE_SUBNET,
  RESERVED,
} from './simulated-cloud.js';

const FLOATING_IPS_V2 = '/cloud/v2/floatingips/1/1';
/** The body of an interface in the private network. */
export const PRIVATE = { type: 'any_subnet', network_id: PRIVATE_NETWORK };

const interfacesSchema = z.object({
  results: z.array(
    z.object({
      port_id: z.string(),
      ip_assignments: z.array(z.object({ ip_address: z.string() })),
    }),
  ),
});

/** A cloud with calls about addresses. */
export function cloudWithAddresses() {
  const cloud = createCloud();
  const inventory = () => cloud.simulator.inventory();
  const wired = (interfaces: unknown[] = [PRIVATE]) => cloud.createInstance({ interfaces });
  const portOf = async ({ id }: { id: string }, index = 0) => {
    const { body } = await cloud.send('GET', `${INSTANCES}/${id}/interfaces`);
    const port = interfacesSchema.parse(body).results[index];
    return { port_id: port?.port_id ?? '', ip_address: port?.ip_assignments[0]?.ip_address ?? '' };
  };
  const createFloatingIp = async (body: object = {}) => {
    await cloud.start('POST', FLOATING_IPS, body);
    cloud.settle();
    return inventory().floatingIps.at(-1)?.id ?? '';
  };
  const reserve = async (body: object = { type: 'subnet', subnet_id: PRIVATE_SUBNET }) => {
    await cloud.start('POST', RESERVED, body);
    cloud.settle();
    return inventory().reservedFixedIps.at(-1)?.port_id ?? '';
  };
  const patch = (id: string, body: object) => cloud.send('PATCH', `${FLOATING_IPS_V2}/${id}`, body);
  const shown = async (path: string) => (await cloud.send('GET', path)).body;
  return { cloud, inventory, wired, portOf, createFloatingIp, reserve, patch, shown };
}
