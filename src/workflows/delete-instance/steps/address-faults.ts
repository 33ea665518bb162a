import type { PreparedDeleteInstance } from '../../../contract/wire/prepared.js';
import type { Fault } from '../../../engine/core/failures.js';
import { findLeading, lookWhereItLeads } from '../../shared/leads-to.js';
import type { DeletePlanRun } from '../plan/delete-plan-run.js';
import { placeOf, type DeleteRun } from './delete-run.js';

/** A fault while the floating IP that forbids the deletion leads to the instance, or may. */
export async function addressFaults(run: DeleteRun, instanceId: string): Promise<Fault[]> {
  const lead = leadOf(run.prepared, instanceId);
  if (lead === undefined || (await findLeading(run, lead)) === undefined) return [];
  return [toFault(lead)];
}

/** The same for a plan, which looks once. */
export async function planAddressFaults(
  { prepared, reads }: DeletePlanRun,
  instanceId: string,
): Promise<Fault[]> {
  const lead = leadOf(prepared, instanceId);
  if (lead === undefined) return [];
  const { to } = await lookWhereItLeads(reads, lead);
  return to === 'here' ? [toFault(lead)] : [];
}

type Lead = NonNullable<ReturnType<typeof leadOf>>;

function leadOf(prepared: PreparedDeleteInstance, instanceId: string) {
  const { unlessFloatingIpId: floatingIpId } = prepared;
  return floatingIpId === undefined
    ? undefined
    : { ...placeOf(prepared), instanceId, floatingIpId };
}

function toFault({ floatingIpId, instanceId }: Lead): Fault {
  const message = `floating IP ${floatingIpId} leads to instance ${instanceId}, which is therefore not deleted`;
  return { path: 'unlessFloatingIpId', message };
}
