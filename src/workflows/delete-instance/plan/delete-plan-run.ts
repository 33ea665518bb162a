import type { PreparedDeleteInstance } from '../../../contract/prepared/delete-instance.js';
import type { PlanRun } from '../../engine/plan/planning.js';

export type DeletePlanRun = PlanRun<PreparedDeleteInstance>;

/** `boot (2b7c…)` */
export function nameAndId(id: string, name: string | undefined): string {
  return name === undefined ? id : `${name} (${id})`;
}

export function lostVolume(id: string, name: string | undefined): string {
  return `Volume ${nameAndId(id, name)} and its data cannot be brought back.`;
}

export function lostFloatingIp(id: string, address: string | undefined): string {
  return `Floating IP ${nameAndId(id, address)} goes back to the pool: somebody else may get the address.`;
}

export function keptThing(thing: string, id: string, name: string | undefined): string {
  return `${thing} ${nameAndId(id, name)} is kept, and goes on costing`;
}
