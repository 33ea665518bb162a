import type { PlacedFloatingIp } from '../../../activities/floating-ip-moves.js';
import type { Place } from '../../../contract/wire/names.js';
import type { PreparedDeleteInstance } from '../../../contract/wire/prepared.js';
import type { Fault } from '../../../engine/core/failures.js';
import { orUndefinedIfGone } from '../../../engine/run/failures.js';
import { leadsTo, type InterfaceReads } from '../../shared/leads-to.js';
import { placeOf } from './delete-run.js';

interface Reader {
  prepared: PreparedDeleteInstance;
  reads: InterfaceReads & {
    getPlacedFloatingIp(input: Place & { id: string }): Promise<PlacedFloatingIp>;
  };
}

/** A fault while the floating IP that forbids the deletion leads to the instance. */
export async function addressFaults(
  { prepared, reads }: Reader,
  instanceId: string,
): Promise<Fault[]> {
  const { unlessFloatingIpId: id } = prepared;
  if (id === undefined) return [];
  const place = placeOf(prepared);
  const seen = await orUndefinedIfGone(reads.getPlacedFloatingIp({ ...place, id }));
  if (seen === undefined || !(await leadsTo(reads, seen, { ...place, instanceId }))) return [];
  const message = `floating IP ${id} leads to instance ${instanceId}, which is therefore not deleted`;
  return [{ path: 'unlessFloatingIpId', message }];
}
