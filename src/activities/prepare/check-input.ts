import type { z } from 'zod';

import type { Fault } from '../../contract/failures.js';
import { parseInput } from '../../contract/parse-input.js';
import type { Place } from '../../contract/place.js';
import { invalidInput } from './invalid-input.js';
import type { PrepareDeps } from './prepare-deps.js';
import { resolvePlace } from './resolve-place.js';
import { thisRun } from './this-run.js';

/** Parses the input of an operation. Fails as `InvalidInput` with every fault by path. */
export function checkInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = parseInput<T>(schema, input);
  if (!parsed.ok) throw invalidInput(parsed.faults);
  return parsed.value;
}

/** The same with the place of the input; a missing place is reported together with other faults. */
export function checkPlacedInput<T>(
  schema: z.ZodType<T>,
  input: unknown,
  defaults: PrepareDeps['defaults'],
): { value: T; place: Place } {
  const parsed = parseInput<T>(schema, input);
  const place = resolvePlace(input, defaults);
  if (parsed.ok && !('faults' in place)) return { value: parsed.value, place };
  const faults: Fault[] = [
    ...(parsed.ok ? [] : parsed.faults),
    ...('faults' in place ? place.faults : []),
  ];
  throw invalidInput(faults);
}

/** When an earlier run of this Workflow Id was terminated or timed out, if one was. */
export async function earlierCutShort({
  cutShortAt,
}: Pick<PrepareDeps, 'cutShortAt'>): Promise<{ cutShortAt?: number }> {
  const at = await cutShortAt?.(thisRun().workflowId);
  return at === undefined ? {} : { cutShortAt: at };
}
