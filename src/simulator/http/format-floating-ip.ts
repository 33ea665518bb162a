import type { FloatingIpEntity } from '../state/rows.js';
import type { World } from '../state/world.js';
import { formatListedInstance } from './format-instance.js';
import { formatOwner, formatTags, formatUpdated } from './wire-parts.js';

export type FloatingIpObject = ReturnType<typeof formatListedFloatingIp>;

export function formatFloatingIp(floatingIp: Readonly<FloatingIpEntity>) {
  return {
    ...formatOwner(floatingIp),
    updated_at: formatUpdated(floatingIp),
    floating_ip_address: floatingIp.address,
    fixed_ip_address: floatingIp.fixedIpAddress,
    port_id: floatingIp.portId,
    router_id: null,
    status: statusOf(floatingIp),
    tags: formatTags(floatingIp.tags),
  };
}

/** As lists show it: with what has it. */
export function formatListedFloatingIp(world: World, floatingIp: Readonly<FloatingIpEntity>) {
  const { instanceId } = floatingIp;
  const instance = instanceId === null ? undefined : world.instances.get(instanceId);
  return {
    ...formatFloatingIp(floatingIp),
    instance: instance === undefined ? null : formatListedInstance(world, instance),
    loadbalancer: null,
  };
}

export function statusOf({ portId }: Pick<FloatingIpEntity, 'portId'>) {
  return portId === null ? ('DOWN' as const) : ('ACTIVE' as const);
}
