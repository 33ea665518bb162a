import { activityInfo } from '@temporalio/activity';
import type { z } from 'zod';

import { invalidInput, wasReset } from '../../engine/activities/run-of-activity.js';
import { projectFaults, resolvePlace } from './account-rules.js';
import { notifyFaults } from './notify.js';
import type { EarlierEnd, PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';
import { partNameFaults } from '../../contract/part-names.js';
import type { Place } from '../../contract/wire/names.js';
import type { Fault } from '../../engine/core/failures.js';
import { idFaults } from '../../engine/core/faults.js';
import type { FirstEvent } from '../../engine/core/prepared-run.js';
import { parseInput } from '../../engine/schema/parse-input.js';

/** Parses the input of an operation. Fails as `InvalidInput` with every fault by path. */
export function checkInput<T>(schema: z.ZodType<T>, input: unknown, deps: InputDeps): T {
  checkRunId();
  const parsed = parseInput<T>(schema, input);
  const faults = refusals(input, deps);
  if (parsed.ok && faults.length === 0) return parsed.value;
  throw invalidInput([...(parsed.ok ? [] : parsed.faults), ...faults]);
}

type InputDeps = Pick<PrepareDeps, 'defaults' | 'accounts' | 'webhooks'>;

/** What the worker refuses about an input whose form is right. */
function refusals(input: unknown, deps: InputDeps): Fault[] {
  return [...projectFaults(input, deps), ...notifyFaults(input, deps)];
}

/** The same with the place of the input; a missing place is reported together with other faults. */
export function checkPlacedInput<T>(
  schema: z.ZodType<T>,
  input: unknown,
  deps: InputDeps,
): { value: T; place: Place } {
  checkRunId();
  const parsed = parseInput<T>(schema, input);
  const place = resolvePlace(input, deps);
  const refused = refusals(input, deps);
  if (parsed.ok && !('faults' in place) && refused.length === 0)
    return { value: parsed.value, place };
  const faults: Fault[] = [
    ...(parsed.ok ? [] : parsed.faults),
    ...('faults' in place ? place.faults : []),
    ...refused,
  ];
  throw invalidInput(faults);
}

/**
 * Any Temporal client may have chosen the id. With a control character no query about the run works, and with that of a part
 * another run would cancel it.
 */
function checkRunId(): void {
  const { workflowId } = thisRun();
  const { workflowType = '' } = activityInfo();
  const faults = [
    ...idFaults('workflowId', workflowId),
    ...partNameFaults(workflowType, 'workflowId', workflowId),
  ];
  if (faults.length > 0) throw invalidInput(faults);
}

/** When the run that an operator has reset began; `undefined` when this is no reset run. */
export function resetSince(first: FirstEvent | undefined): number | undefined {
  return wasReset(first?.runId) ? first.at : undefined;
}

/** Run Id of the one before, as far as that is known, which no list of runs needs to show yet. */
export function runBefore(first: FirstEvent | undefined): string | undefined {
  return wasReset(first?.runId) ? first.runId : first?.ranBefore;
}

/**
 * When an earlier run of this Workflow Id was terminated or timed out, at the latest. It ended before this run asked, so
 * the time of this run stands for an end that is not known. A reset has ended a run a moment ago, and so may have an operator
 * who started this one: no list of runs shows it yet.
 */
export async function earlierCutShort(
  deps: Pick<PrepareDeps, 'cutShortAt'>,
  first: FirstEvent | undefined,
): Promise<{ cutShortAt?: number }> {
  return cutShortBy(await earlierEnd(deps, first), first);
}

/** `unknown` also of a run that was reset: no list of runs shows yet what that has ended. */
export async function earlierEnd(
  { cutShortAt }: Pick<PrepareDeps, 'cutShortAt'>,
  first: FirstEvent | undefined,
): Promise<EarlierEnd> {
  return wasReset(first?.runId) ? 'unknown' : cutShortAt?.(thisRun().workflowId);
}

export function cutShortBy(
  end: EarlierEnd,
  first: FirstEvent | undefined,
): { cutShortAt?: number } {
  const listed = end === undefined ? -Infinity : timeOfEnd(end, first?.now);
  // Any client may have said it.
  const said = Math.min(first?.cutShortAt ?? -Infinity, first?.now ?? -Infinity);
  const last = Math.max(listed, said);
  return last === -Infinity ? {} : { cutShortAt: last };
}

/** @param now the time of the run that asks. A worker's own clock may be hours off, and nobody would notice. */
export function timeOfEnd(end: number | 'unknown', now: number | undefined): number {
  if (end !== 'unknown') return end;
  if (now === undefined) throw new Error('The run has not told its time');
  return now;
}
