import type { PreparedDeleteInstance } from '../../../contract/wire/prepared.js';
import type { Fault } from '../../../engine/core/failures.js';
import { findWhereItLeads, lookWhereItLeads } from '../../shared/leads-to.js';
import type { DeletePlanRun } from '../plan/delete-plan-run.js';
import { placeOf, type DeleteRun } from './delete-run.js';

/**
 * A fault while the floating IP that forbids the deletion leads to the instance, or to none: whoever had it instead may be gone,
 * and then this instance is the one that is left.
 */
export async function addressFaults(run: DeleteRun, instanceId: string): Promise<Fault[]> {
  const lead = leadOf(run.prepared, instanceId);
  if (lead === undefined) return [];
  const { to } = await findWhereItLeads(run, lead);
  return to === 'elsewhere' ? [] : [toFault(lead, to)];
}

/** The same for a plan, which looks once. */
export async function planAddressFaults(
  { prepared, reads }: DeletePlanRun,
  instanceId: string,
): Promise<Fault[]> {
  const lead = leadOf(prepared, instanceId);
  if (lead === undefined) return [];
  const { to } = await lookWhereItLeads(reads, lead);
  return to === 'elsewhere' || to === 'unclear' ? [] : [toFault(lead, to)];
}

type Lead = NonNullable<ReturnType<typeof leadOf>>;

function leadOf(prepared: PreparedDeleteInstance, instanceId: string) {
  const { unlessFloatingIpId: floatingIpId } = prepared;
  return floatingIpId === undefined
    ? undefined
    : { ...placeOf(prepared), instanceId, floatingIpId };
}

const LEADS: Readonly<Record<string, (instanceId: string) => string>> = {
  here: (instanceId) => `leads to instance ${instanceId}`,
  nowhere: () => 'leads to no instance now',
};

function toFault({ floatingIpId, instanceId }: Lead, to: string): Fault {
  const leads = LEADS[to]?.(instanceId) ?? 'leads to a place that no answer names';
  const message = `floating IP ${floatingIpId} ${leads}: instance ${instanceId} is therefore not deleted`;
  return { path: 'unlessFloatingIpId', message };
}
