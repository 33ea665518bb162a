import type { Fault } from '../engine/core/failures.js';
import { PARTS, type PartName } from './wire/names.js';

const partsOf: Readonly<Record<string, readonly PartName[]>> = PARTS;

/**
 * A request of this operation must not have the Workflow Id of a part of another one: that would take it for a part of its
 * own from before, and cancel it.
 *
 * @param id a request id or a Workflow Id
 */
export function partNameFaults(operation: string, path: string, id: string): Fault[] {
  const parts = Object.hasOwn(partsOf, operation) ? (partsOf[operation] ?? []) : [];
  const part = parts.find((name) => id.endsWith(`/${name}`));
  if (part === undefined) return [];
  const message = `must not end in "/${part}": a run calls a part of its own so, and would cancel this one as such`;
  return [{ path, message }];
}
