import type { z } from 'zod';

import { invalidInput } from '../../engine/activities/run-of-activity.js';
import type { FirstEvent } from '../../engine/core/prepared-run.js';
import { toCanonicalJson } from '../../engine/core/values.js';
import { cutText } from '../../engine/core/text.js';
import type { Place } from '../../contract/wire/names.js';
import { accountIn, resolvePlace } from './account-rules.js';
import { cutShortBy, earlierEnd, runBefore } from './check-input.js';
import type { PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';

/** What a run looks for, and where. */
export interface Wanted {
  schema: z.ZodType;
  input: unknown;
  /** Left out where the operation is in no project and region. */
  place?: Place;
  /** Of any input of the operation: the regions beside its own in which it may make its thing. */
  otherRegions?: (input: unknown) => readonly number[];
  /** See `Described`. Left out together with the place where nothing is made that another account would lack. */
  foundBy?: readonly string[] | undefined;
  /** What an earlier run may have done with it; `made` when left out. */
  deed?: 'made' | 'changed' | 'deleted';
}

/**
 * The same as `earlierCutShort`, for what is found again by what the input says: the regions where its marker is looked for, its
 * name. Where an earlier run may have made it, a run that was asked for it in other words would not look there, and make a second one.
 *
 * @throws InvalidInput
 */
export async function earlierCutShortThere(
  deps: PrepareDeps,
  first: FirstEvent | undefined,
  wanted: Wanted,
): Promise<{ cutShortAt?: number }> {
  const end = await earlierEnd(deps, first);
  const cutShort = cutShortBy(end, first);
  if (cutShort.cutShortAt === undefined || first === undefined) return cutShort;
  const { place, foundBy } = wanted;
  if (place === undefined && foundBy === undefined) return cutShort;
  const { workflowId } = thisRun();
  // A local activity has no time to wait for two lists that do not come.
  const areListed = end !== 'unknown';
  const own = first.isCorrection === true ? undefined : first.runId;
  const earlier = { workflowId, own, ranBefore: runBefore(first), areListed };
  const asked = await deps.askedBefore?.(earlier);
  for (const before of asked ?? []) if (!isPlan(before)) refuseMoved(deps, before, wanted);
  return cutShort;
}

function refuseMoved(deps: PrepareDeps, before: unknown, wanted: Wanted): void {
  const account = accountIn(before);
  // A caller may have chosen the Workflow Id, which names the account otherwise.
  if (account !== accountIn(wanted.input)) {
    throw movedFailure(wanted, 'account', `in the account "${account}"`);
  }
  refuseOtherPlace(deps, before, wanted);
  refuseOtherFields(before, wanted);
}

function refuseOtherPlace(deps: PrepareDeps, before: unknown, wanted: Wanted): void {
  const { place, input, otherRegions = () => [] } = wanted;
  if (place === undefined) return;
  const was = resolvePlace(before, deps);
  if ('faults' in was) return;
  const isLookedAt = new Set(regionsOf(place, otherRegions(input)));
  const lost = regionsOf(was, otherRegions(before)).find((one) => !isLookedAt.has(one));
  const path = was.projectId === place.projectId ? 'regionId' : 'projectId';
  if (lost !== undefined) throw movedFailure(wanted, path, `in ${lost}`);
}

function regionsOf({ projectId, regionId }: Place, others: readonly number[]): string[] {
  return [regionId, ...others].map((id) => `region ${id} of project ${projectId}`);
}

function refuseOtherFields(before: unknown, asked: Wanted): void {
  const { schema, input, foundBy = [] } = asked;
  // An input may have two megabytes.
  if (foundBy.length === 0) return;
  const was = schema.safeParse(before);
  // This version would have sent nothing for it.
  if (!was.success) return;
  const now = schema.parse(input);
  for (const field of foundBy) {
    const [then, wanted] = [fieldOf(was.data, field), fieldOf(now, field)];
    if (toForm(field, then) !== toForm(field, wanted))
      throw movedFailure(asked, field, named(field, then));
  }
}

function fieldOf(input: unknown, field: string): unknown {
  return input instanceof Object ? Reflect.get(input, field) : undefined;
}

/** The API writes ids in lower case. */
function toForm(field: string, value: unknown): string {
  const text = toCanonicalJson(value ?? null);
  return field.endsWith('Id') ? text.toLowerCase() : text;
}

const MAX_SHOWN = 100;

function named(field: string, value: unknown): string {
  const isShort = typeof value === 'string' || typeof value === 'number';
  return isShort
    ? `with the ${field} ${cutText(JSON.stringify(value), MAX_SHOWN)}`
    : `with another ${field}`;
}

function isPlan(input: unknown): boolean {
  return input instanceof Object && 'planOnly' in input && input.planOnly === true;
}

function movedFailure({ deed = 'made' }: Wanted, path: string, where: string): Error {
  const message = `an earlier run of this request may have ${deed} it ${where}, and this one would not look there. Look what is there and start the request so again, or give another request id`;
  return invalidInput([{ path, message }]);
}
