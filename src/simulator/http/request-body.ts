/** Reads bodies of requests and refuses those that break their schema. */
import type { Context } from 'hono';
import type { z } from 'zod';

import { parseInput } from '../../engine/schema/parse-input.js';
import { validationError } from './cloud-error.js';
import type { SimulatorEnv } from './simulator-env.js';

/** The parsed body; `undefined` when it is not JSON. */
export async function readJson(c: Context<SimulatorEnv>): Promise<unknown> {
  return toJson(await c.req.text());
}

/** `undefined` when the text is not JSON. */
export function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a part of a request; answers 400 with every fault when it breaks the schema. */
export function parseRequest<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = parseInput(schema, value, { maxValues: Infinity });
  if (!parsed.ok) throw validationError(parsed.faults);
  return parsed.value;
}
