import { z } from 'zod';

import { findFlavor } from '../state/catalog.js';
import { validationError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import { isInScope, type Scope } from '../http/scope.js';
import type { World } from '../state/world.js';

const volumeSchema = z.looseObject({ source: z.string().optional(), size: z.number().optional() });

/** The documented fields. For interfaces and volumes only what counts towards quotas. */
const bodySchema = z.strictObject({
  flavor: z.string(),
  names: z.array(z.string()).optional(),
  name_templates: z.array(z.string()).optional(),
  interfaces: z.array(
    z.looseObject({ floating_ip: z.looseObject({ source: z.string() }).optional() }),
  ),
  volumes: z.array(volumeSchema),
});
type Body = z.infer<typeof bodySchema>;

/** Amounts by quota. */
type Amounts = Record<string, number>;

/**
 * Quotas that a create would exceed, as `<quota>_limit`, `_requested` and `_usage`; empty when it
 * would exceed none. Changes nothing. `quotas` of the state lists the quotas; the API documents only
 * the form of the answer, with `volume_size` and `vm_count` as examples.
 */
export function checkLimits(world: World, scope: Scope, json: unknown): Amounts {
  const requested = requestedBy(parseRequest(world, bodySchema, json));
  const used = usedIn(world, scope);
  const exceeded = Object.entries(world.quotas()).filter(
    ([quota, limit]) => (used[quota] ?? 0) + (requested[quota] ?? 0) > limit,
  );
  return Object.fromEntries(
    exceeded.flatMap(([quota, limit]) => [
      [`${quota}_limit`, limit],
      [`${quota}_requested`, requested[quota] ?? 0],
      [`${quota}_usage`, used[quota] ?? 0],
    ]),
  );
}

const HOURS_PER_MONTH = 720;
const PER_VCPU_AND_HOUR = 0.02;
const PER_GIB_AND_HOUR = 0.0002;

interface Size {
  vcpus: number;
  gib: number;
}

function perHourOf({ vcpus, gib }: Size): number {
  return vcpus * PER_VCPU_AND_HOUR + gib * PER_GIB_AND_HOUR;
}

/** What `include_prices` adds to a flavor or an image. Here amounts are numbers. */
export function priceFields(size: Size) {
  const perHour = perHourOf(size);
  return {
    currency_code: 'EUR',
    price_per_hour: perHour,
    price_per_month: perHour * HOURS_PER_MONTH,
    price_status: 'show',
  };
}

/** What an instance costs, in the form of the API: amounts are texts. The rates are ours. */
export function priceOf(world: World, json: unknown): object {
  const { cpu_count: vcpus = 0, volume_size: gib = 0 } = requestedBy(
    parseRequest(world, bodySchema, json),
  );
  const perHour = perHourOf({ vcpus, gib });
  return {
    currency_code: 'EUR',
    price_status: 'show',
    total_price_per_hour: perHour.toFixed(4),
    total_price_per_month: (perHour * HOURS_PER_MONTH).toFixed(2),
    price_without_discount_per_month: (perHour * HOURS_PER_MONTH).toFixed(2),
    discount_percent: null,
    tax_percent: null,
  };
}

function requestedBy(body: Body): Amounts {
  const flavor = findFlavor(body.flavor);
  if (flavor === undefined) {
    throw validationError([{ path: 'flavor', message: `Flavor ${body.flavor} is not found` }]);
  }
  const count = (body.names ?? body.name_templates ?? []).length;
  const volumes = body.volumes.filter(({ source }) => source !== 'existing-volume');
  return {
    vm_count: count,
    cpu_count: count * flavor.vcpus,
    ram: count * flavor.ram,
    volume_count: count * volumes.length,
    volume_size: count * volumes.reduce((sum, { size = 0 }) => sum + size, 0),
    floating_count: body.interfaces.filter(({ floating_ip: ip }) => ip?.source === 'new').length,
  };
}

function usedIn(world: World, scope: Scope): Amounts {
  const isHere = (row: Scope): boolean => isInScope(row, scope);
  const instances = world.instances.filter(isHere);
  const volumes = world.volumes.filter(isHere);
  const flavors = instances.flatMap(({ flavorId }) => findFlavor(flavorId) ?? []);
  return {
    vm_count: instances.length,
    cpu_count: flavors.reduce((sum, { vcpus }) => sum + vcpus, 0),
    ram: flavors.reduce((sum, { ram }) => sum + ram, 0),
    volume_count: volumes.length,
    volume_size: volumes.reduce((sum, { size }) => sum + size, 0),
    floating_count: world.floatingIps.filter(isHere).length,
  };
}
