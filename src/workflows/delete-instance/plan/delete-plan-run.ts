import type { PreparedDeleteInstance } from '../../../contract/prepared/delete-instance.js';
import type { PlanRun } from '../../engine/plan/planning.js';

/** What the parts of this plan are made with. */
export type DeletePlanRun = PlanRun<PreparedDeleteInstance>;

/** `boot (2b7c…)` */
export function nameAndId(id: string, name: string | undefined): string {
  return name === undefined ? id : `${name} (${id})`;
}

export function describeLostVolume(id: string, name: string | undefined): string {
  return `Volume ${nameAndId(id, name)} and its data cannot be restored.`;
}

export function describeLostFloatingIp(id: string, address: string | undefined): string {
  return `Floating IP ${nameAndId(id, address)} returns to the pool: somebody else may get the address.`;
}

export function describeKept(thing: string, id: string, name: string | undefined): string {
  return `${thing} ${nameAndId(id, name)} is kept and keeps costing money`;
}
