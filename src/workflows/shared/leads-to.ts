import type { InterfaceView, PlacedFloatingIp } from '../../activities/floating-ip-moves.js';
import type { Place } from '../../contract/wire/names.js';
import { orUndefinedIfGone } from '../../engine/run/failures.js';

interface InstanceAt extends Place {
  instanceId: string;
}

export interface InterfaceReads {
  listInterfaces(input: InstanceAt): Promise<InterfaceView[]>;
}

/** Whether a floating IP leads to a port of this instance. Not every answer of the API says whose port it is. */
export async function leadsTo(
  reads: InterfaceReads,
  { portId }: Pick<PlacedFloatingIp, 'portId'>,
  instance: InstanceAt,
): Promise<boolean> {
  if (portId === undefined) return false;
  const ports = await orUndefinedIfGone(reads.listInterfaces(instance));
  return ports?.some((port) => port.portId === portId) ?? false;
}
