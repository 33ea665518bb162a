import { z } from 'zod';

import { parseInput } from '../../contract/parse-input.js';
import { validationError } from './cloud-error.js';

const MAX_LIMIT = 1000;

/** `limit` and `offset`; the default limit differs per list. */
export function pageShape(defaultLimit: number) {
  return {
    limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(defaultLimit),
    offset: z.coerce.number().int().min(0).default(0),
  };
}

/** A parameter that may be given several times. */
export function repeatable<T>(schema: z.ZodType<T, string>) {
  return z.union([z.array(schema), schema.transform((value) => [value])]);
}

/** `tag_key_value` is a JSON object; a row has to carry all of its pairs. */
export const tagKeyValueSchema = z.string().transform((text, context): Record<string, string> => {
  const pairs = z.record(z.string(), z.string()).safeParse(parseJson(text));
  if (pairs.success) return pairs.data;
  context.addIssue({ code: 'custom', message: 'must be a JSON object of tag keys and values' });
  return z.NEVER;
});

export function hasTags(tags: Record<string, string>, wanted: Record<string, string>): boolean {
  return Object.entries(wanted).every(([key, value]) => tags[key] === value);
}

/**
 * Parses the query of a list. A parameter that is not built is refused: to ignore a filter would
 * answer with rows that nobody asked for.
 */
export function parseQuery<T>(schema: z.ZodType<T>, query: Record<string, string[]>): T {
  const single = Object.entries(query).map(([key, values]): [string, unknown] => [
    key,
    values.length === 1 ? values[0] : values,
  ]);
  const parsed = parseInput(schema, Object.fromEntries(single));
  if (!parsed.ok) throw validationError(parsed.faults);
  return parsed.value;
}

/** The list envelope. `count` is the number of all rows that match, not of those on the page. */
export function toPage<Row, Wire>(
  rows: readonly Row[],
  page: { limit: number; offset: number },
  format: (row: Row) => Wire,
): { count: number; results: Wire[] } {
  const shown = rows.slice(page.offset, page.offset + page.limit);
  return { count: rows.length, results: shown.map(format) };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
