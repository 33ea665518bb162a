import { invalidInput } from '../../engine/activities/run-of-activity.js';
import type { FirstEvent } from '../../engine/core/prepared-run.js';
import type { Place } from '../../contract/wire/names.js';
import { accountIn, resolvePlace } from './account-rules.js';
import { cutShortBy, earlierEnd, runBefore } from './check-input.js';
import type { PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';

interface Wanted {
  place: Place;
  /** Of any input of the operation: the regions beside its own in which it may make its thing. */
  otherRegions?: (input: unknown) => readonly number[];
  input: unknown;
}

/**
 * The same as `earlierCutShort`, for what is found again by its marker, in the regions that the input names. Where an earlier run may
 * have made it, a run that was asked for it somewhere else would not look, and make a second one.
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
  const { workflowId } = thisRun();
  // A local activity has no time to wait for two lists that do not come.
  const areListed = end !== 'unknown';
  const own = first.isCorrection === true ? undefined : first.runId;
  const earlier = { workflowId, own, ranBefore: runBefore(first), areListed };
  const asked = await deps.askedBefore?.(earlier);
  refuseMoved(deps, asked ?? [], wanted);
  return cutShort;
}

function refuseMoved(
  deps: PrepareDeps,
  asked: readonly unknown[],
  { place, input, otherRegions = () => [] }: Wanted,
): void {
  const isLookedAt = new Set(regionsOf(place, otherRegions(input)));
  for (const earlier of asked.filter((each) => !isPlan(each))) {
    const account = accountIn(earlier);
    // A caller may have chosen the Workflow Id, which names the account otherwise.
    if (account !== accountIn(input)) throw movedFailure('account', `the account "${account}"`);
    const before = resolvePlace(earlier, deps);
    if ('faults' in before) continue;
    const lost = regionsOf(before, otherRegions(earlier)).find((one) => !isLookedAt.has(one));
    const path = before.projectId === place.projectId ? 'regionId' : 'projectId';
    if (lost !== undefined) throw movedFailure(path, lost);
  }
}

function regionsOf({ projectId, regionId }: Place, others: readonly number[]): string[] {
  return [regionId, ...others].map((id) => `region ${id} of project ${projectId}`);
}

function isPlan(input: unknown): boolean {
  return input instanceof Object && 'planOnly' in input && input.planOnly === true;
}

function movedFailure(path: string, lost: string): Error {
  const message = `an earlier run of this request may have made it in ${lost}, and this one would not look there. Look what is there and start the request there again, or give another request id`;
  return invalidInput([{ path, message }]);
}
