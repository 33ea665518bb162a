/** Reads bodies of requests and refuses those that break their schema. */
import type { Context } from 'hono';
import type { z } from 'zod';

import { type ParsedInput, parseInput } from '../../engine/schema/parse-input.js';
import type { OpenFacts } from '../state/open-facts.js';
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

/** How the API treats fields and parameters that no document has. */
type Strictness = Pick<OpenFacts, 'unknownFields'>;

/** Parses a part of a request; answers 400 with every fault when it breaks the schema. */
export function parseRequest<T>(facts: Strictness, schema: z.ZodType<T>, value: unknown): T {
  const parsed = parsePart(facts, schema, value);
  if (!parsed.ok) throw validationError(parsed.faults);
  return parsed.value;
}

/** Schemas are strict. Where unknown fields are ignored, they are taken out first. */
export function parsePart<T>(
  { unknownFields }: Strictness,
  schema: z.ZodType<T>,
  value: unknown,
): ParsedInput<T> {
  const known = unknownFields === 'ignored' ? withoutUnknown(schema, value) : value;
  return parseInput(schema, known, { maxValues: Infinity });
}

function withoutUnknown(schema: z.ZodType, value: unknown): unknown {
  const unknown = (schema.safeParse(value).error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
  );
  if (unknown.length === 0) return value;
  const known: unknown = structuredClone(value);
  for (const path of unknown) removeAt(known, path);
  return known;
}

function removeAt(value: unknown, [key, ...rest]: readonly PropertyKey[]): void {
  if (typeof value !== 'object' || value === null || key === undefined) return;
  if (rest.length === 0) Reflect.deleteProperty(value, key);
  else removeAt(Reflect.get(value, key), rest);
}
