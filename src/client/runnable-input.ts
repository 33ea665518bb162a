import { inputSizeFaults } from '../contract/input-limits.js';
import { operationSchemas, type Operations } from '../contract/operations/index.js';
import { parseInput, type ParsedInput } from '../contract/parse-input.js';

/** A plan under the id of the request would count as the request being done. */
const PLAN_IS_NO_RUN = {
  path: 'planOnly',
  message: 'makes a plan instead of a run: leave it out, or use `plan`',
};

/** The input of a run, or every fault for which neither a start nor a schedule takes it. */
export function runnableInput<O extends keyof Operations>(
  operation: O,
  input: unknown,
): ParsedInput<Operations[O]['input']> {
  const tooLarge = inputSizeFaults(input);
  if (tooLarge.length > 0) return { ok: false, faults: tooLarge };
  const parsed = parseInput(operationSchemas[operation].input, input);
  if (!parsed.ok) return parsed;
  return parsed.value.planOnly === true ? { ok: false, faults: [PLAN_IS_NO_RUN] } : parsed;
}
