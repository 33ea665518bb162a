import type { InterfaceView } from '../../activities/floating-ip-moves.js';
import type { PlanFault } from '../../engine/plan/planning.js';

/** Where a floating IP shall lead to. */
export interface MoveTarget {
  portId: string;
  fixedIp: string;
}

interface Wanted {
  floatingIpId: string;
  instanceId: string;
  fixedIpAddress?: string | undefined;
}

/** An address of the instance that can have a floating IP. */
interface Candidate extends MoveTarget {
  /** The floating IP that it has. */
  takenBy?: string | undefined;
}

/** The one address that is meant, or why there is none. */
export function chooseTarget(
  interfaces: readonly InterfaceView[] | undefined,
  { floatingIpId, instanceId, fixedIpAddress }: Wanted,
): MoveTarget | PlanFault {
  if (interfaces === undefined) {
    return {
      path: 'instanceId',
      message: `There is no instance ${instanceId}`,
      advice: 'Check the id: the list of instances has it.',
    };
  }
  const candidates = interfaces.flatMap(candidatesOf);
  const addresses = candidates.map(({ fixedIp }) => fixedIp).join(', ');
  const meant = candidates.filter(
    ({ fixedIp }) => fixedIpAddress === undefined || fixedIp === fixedIpAddress,
  );
  const own = meant.filter(({ takenBy }) => takenBy === floatingIpId);
  const [chosen, ...others] = own.length > 0 ? own : meant;
  if (chosen === undefined) {
    const what =
      fixedIpAddress === undefined ? 'private IPv4 address' : `address ${fixedIpAddress}`;
    return {
      path: 'fixedIpAddress',
      message: `Instance ${instanceId} has no ${what} that a floating IP can lead to`,
      advice:
        addresses === '' ? 'Give it an interface in a private network.' : `It has: ${addresses}.`,
    };
  }
  if (others.length > 0) {
    return {
      path: 'fixedIpAddress',
      message: `Instance ${instanceId} has several addresses`,
      advice: `Name the one that is meant: ${addresses}.`,
    };
  }
  const { takenBy, ...target } = chosen;
  if (takenBy === undefined || takenBy === floatingIpId) return target;
  return {
    path: 'fixedIpAddress',
    message: `The address ${target.fixedIp} has the floating IP ${takenBy} already`,
    advice: 'Move that one away first, or name another address.',
  };
}

function candidatesOf({ portId, addresses, isExternal, floatingIps }: InterfaceView): Candidate[] {
  if (isExternal) return [];
  // One that shows no address may have any: then the first that fits counts.
  const holders = new Map<string | undefined, { at: number; id: string }>();
  for (const [at, { id, fixedIp }] of floatingIps.entries()) {
    if (!holders.has(fixedIp)) holders.set(fixedIp, { at, id });
  }
  const any = holders.get(undefined);
  return addresses
    .filter((address) => !address.includes(':'))
    .map((fixedIp) => {
      const own = holders.get(fixedIp);
      const isOwnFirst = own !== undefined && own.at < (any?.at ?? Infinity);
      return { portId, fixedIp, takenBy: (isOwnFirst ? own : any)?.id };
    });
}
