import type { PreparedDeleteInstance } from '../../../contract/wire/prepared.js';
import type { PlanRun } from '../../gcore.js';

/** The prepared input and the API reads of this plan. */
export type DeletePlanRun = PlanRun<PreparedDeleteInstance>;

/** Returns the name with the id, for example `boot (2b7c…)`. */
export function nameAndId(id: string, name: string | undefined): string {
  return name === undefined ? id : `${name} (${id})`;
}

export function describeLostVolume(id: string, name: string | undefined): string {
  return `Volume ${nameAndId(id, name)} and its data cannot be restored.`;
}

export function describeLostFloatingIp(id: string, address: string | undefined): string {
  return `Floating IP ${nameAndId(id, address)} returns to the pool: somebody else may get the address.`;
}

export function describeKept(kind: string, id: string, name: string | undefined): string {
  return `${kind} ${nameAndId(id, name)} is kept and keeps costing money`;
}
