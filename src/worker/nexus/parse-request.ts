import { z } from 'zod';

import { InvalidInputError } from '../../client/index.js';
import { runnableInput } from '../../client/runnable-input.js';
import { idFaults } from '../../engine/core/input-limits.js';
import type { Operation } from '../../contract/wire/names.js';
import type { Urgency } from '../../engine/core/names.js';
import type { NexusRequest } from '../../contract/nexus.js';
import { parseInput } from '../../engine/schema/parse-input.js';

const requestSchema = z.strictObject({
  requestId: z.string().min(1, 'must not be empty').exactOptional(),
  input: z.unknown(),
  urgency: z.enum(['incident', 'normal', 'bulk'] satisfies Urgency[]).exactOptional(),
  onConflict: z.enum(['refuse', 'join']).exactOptional(),
});

/**
 * What a caller has sent, which may be a program without these types.
 * @throws InvalidInputError with every fault.
 */
export function parseRequest<O extends Operation>(operation: O, sent: unknown): NexusRequest<O> {
  const request = parseInput(requestSchema, sent);
  const { input: given, requestId } = fieldsOf(sent);
  // Secrets in clear are refused together with the start.
  const input = runnableInput(operation, given, 'allow');
  const ids = typeof requestId === 'string' ? idFaults('requestId', requestId) : [];
  if (request.ok && input.ok && ids.length === 0) return { ...request.value, input: input.value };
  throw new InvalidInputError([
    ...(request.ok ? [] : request.faults),
    ...ids,
    // That it is missing is said already.
    ...(input.ok || given === undefined ? [] : input.faults),
  ]);
}

function fieldsOf(sent: unknown): { input?: unknown; requestId?: unknown } {
  return sent instanceof Object ? sent : {};
}
