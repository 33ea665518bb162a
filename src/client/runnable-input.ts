import type { ClearSecrets } from '../contract/clear-secrets.js';
import { inputSizeFaults } from '../engine/core/input-limits.js';
import { operationSchemas, type Operations } from '../contract/operations/index.js';
import { parseInput, type ParsedInput } from '../engine/schema/parse-input.js';
import { refusedSecrets } from './refuse-clear-secrets.js';

/** A plan under the id of the request would count as the request being done. */
const PLAN_IS_NO_RUN = {
  path: 'planOnly',
  message: 'makes a plan instead of a run: leave it out, or use `plan`',
};

/** The input of a run, or every fault for which neither a start nor a schedule takes it. */
export function runnableInput<O extends keyof Operations>(
  operation: O,
  input: unknown,
  clearSecrets: ClearSecrets,
): ParsedInput<Operations[O]['input']> {
  const tooLarge = inputSizeFaults(input);
  if (tooLarge.length > 0) return { ok: false, faults: tooLarge };
  const parsed = sendableInput(operation, input, clearSecrets);
  if (!parsed.ok) return parsed;
  return parsed.value.planOnly === true ? { ok: false, faults: [PLAN_IS_NO_RUN] } : parsed;
}

/** An input that may be sent, or every fault: those of its form, and secrets in clear. */
export function sendableInput<O extends keyof Operations>(
  operation: O,
  input: unknown,
  clearSecrets: ClearSecrets,
): ParsedInput<Operations[O]['input']> {
  const parsed = parseInput(operationSchemas[operation].input, input);
  const refused = refusedSecrets(clearSecrets, operation, input);
  if (refused.length === 0) return parsed;
  return { ok: false, faults: [...(parsed.ok ? [] : parsed.faults), ...refused] };
}
