import type { InterfaceView, PlacedFloatingIp } from '../../activities/floating-ip-moves.js';
import type { Place } from '../../contract/wire/names.js';
import { orUndefinedIfGone } from '../../engine/run/failures.js';
import type { Run } from '../../engine/run/run-types.js';
import { findUnlessGone } from '../../engine/wait/find-unless-gone.js';

interface InstanceAt extends Place {
  instanceId: string;
}

interface OneFloatingIp extends Place {
  id: string;
}

export interface LeadReads {
  listInterfaces(input: InstanceAt): Promise<InterfaceView[]>;
  getPlacedFloatingIp(input: OneFloatingIp): Promise<PlacedFloatingIp>;
  findListedFloatingIp(input: OneFloatingIp): Promise<PlacedFloatingIp | null>;
}

/** An instance, and a floating IP of the same place. */
interface Lead extends InstanceAt {
  floatingIpId: string;
}

/** Whether a floating IP leads to a port of this instance. "No" may only mean that an answer did not show it. */
export async function leadsTo(
  reads: Pick<LeadReads, 'listInterfaces'>,
  { portId }: Pick<PlacedFloatingIp, 'portId'>,
  instance: InstanceAt,
): Promise<boolean> {
  if (portId === undefined) return false;
  const ports = await orUndefinedIfGone(reads.listInterfaces(instance));
  return ports?.some((port) => port.portId === portId) ?? false;
}

/** The private address that it leads to, as far as its own answer or that of its port tells it. */
export function fixedIpOf(
  { id, portId, fixedIp }: PlacedFloatingIp,
  interfaces: readonly InterfaceView[] = [],
): string | undefined {
  const port = interfaces.find((each) => each.portId === portId);
  const shown = fixedIp ?? port?.floatingIps.find((each) => each.id === id)?.fixedIp;
  const [only, ...others] = port?.addresses.filter((address) => !address.includes(':')) ?? [];
  return shown ?? (others.length === 0 ? only : undefined);
}

/** What one look says of a lead: `nowhere` where two answers show no port, `unclear` where they do not agree. */
type Shown = { to: 'here'; at: PlacedFloatingIp } | { to: 'elsewhere' | 'nowhere' | 'unclear' };

/**
 * Not every answer of the API says whose port it is: the ports of the instance do, and the list of floating IPs. Its row may be
 * older than the read by id, so it counts only for the same port. Nor does one answer without a port say that there is none.
 */
export async function lookWhereItLeads(
  reads: LeadReads,
  { floatingIpId, ...instance }: Lead,
): Promise<Shown> {
  const { instanceId, ...place } = instance;
  const one = { ...place, id: floatingIpId };
  const seen = await orUndefinedIfGone(reads.getPlacedFloatingIp(one));
  if (seen !== undefined && (await leadsTo(reads, seen, instance))) return { to: 'here', at: seen };
  const listed = await reads.findListedFloatingIp(one);
  // Neither its own read nor the list has it: it is gone.
  if (listed === null) return { to: seen === undefined ? 'elsewhere' : 'unclear' };
  if (seen !== undefined && listed.portId !== seen.portId) return { to: 'unclear' };
  if (listed.instanceId === instanceId) return { to: 'here', at: listed };
  return { to: listed.portId === undefined ? 'nowhere' : 'elsewhere' };
}

type LeadRun = Run & { api: { reads: LeadReads } };

/** The floating IP, if it leads to the instance. */
export async function findLeading(run: LeadRun, lead: Lead): Promise<PlacedFloatingIp | undefined> {
  const shown = await findWhereItLeads(run, lead);
  return shown.to === 'here' ? shown.at : undefined;
}

/**
 * Where it leads for sure. That it does not lead to the instance takes an answer that names another place, or none that names any
 * for as long as lists lag: what may be deleted depends on it.
 */
export async function findWhereItLeads(run: LeadRun, lead: Lead): Promise<Shown> {
  const found = await findUnlessGone(run, {
    name: `where floating IP ${lead.floatingIpId} leads`,
    async look() {
      const shown = await lookWhereItLeads(run.api.reads, lead);
      return shown.to === 'unclear' ? undefined : shown;
    },
  });
  return found.kind === 'found' ? found.seen : { to: 'unclear' };
}
