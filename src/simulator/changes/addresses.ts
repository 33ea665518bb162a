import type { World } from '../state/world.js';

/** A range of 240.0.0.0/4, which is reserved: these addresses belong to nobody. */
const FLOATING_RANGE = '240.19.0.0/16';

export function nextFloatingAddress(world: World): string {
  return addressIn(FLOATING_RANGE, world.nextNumber());
}

/** An address of a range by its number. The first ones belong to the network and its gateway. */
export function addressIn(cidr: string, number: number): string {
  const [base = '', bits = ''] = cidr.split('/');
  if (base.includes(':')) return `${base.replace(/::$/, '')}::${(number + 2).toString(16)}`;
  const size = 2 ** (32 - Number(bits));
  const first = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const address = first + 2 + (number % Math.max(size - 3, 1));
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}
