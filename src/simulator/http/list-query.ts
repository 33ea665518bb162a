/** Queries of lists: pages, filters and orders, as the areas of the API document them. */
import { z } from 'zod';

import type { OpenFacts } from '../state/open-facts.js';
import { parseRequest, toJson } from './request-body.js';

const MAX_LIMIT = 1000;

/** `limit` and `offset`. The default and the maximum differ per list. */
export function pageShape(defaultLimit: number, maxLimit = MAX_LIMIT) {
  return {
    limit: z.coerce.number().int().min(1).max(maxLimit).default(defaultLimit),
    offset: z.coerce.number().int().min(0).default(0),
  };
}

/** The query of lists without filters: all rows unless the caller asks for a page. */
export const pageSchema = z.strictObject(pageShape(MAX_LIMIT));
type Page = z.infer<typeof pageSchema>;

/** `true` or `false`. */
export const flagSchema = z.enum(['true', 'false']).transform((text) => text === 'true');

/** A parameter that may be given several times. */
export function repeatable<T>(schema: z.ZodType<T, string>) {
  return z.union([z.array(schema), schema.transform((value) => [value])]);
}

/** A text with ids and commas between them. */
export function commaList() {
  return z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((id) => id !== ''));
}

/** `tag_key_value` is a JSON object; a row must have all of its pairs. */
export const tagKeyValueSchema = z.string().transform((text, context): Record<string, string> => {
  const pairs = z.record(z.string(), z.string()).safeParse(toJson(text));
  if (pairs.success) return pairs.data;
  context.addIssue({ code: 'custom', message: 'must be a JSON object of tag keys and values' });
  return z.NEVER;
});

export function hasTags(tags: Record<string, string>, wanted: Record<string, string>): boolean {
  return Object.entries(wanted).every(([key, value]) => tags[key] === value);
}

/** Parses the query of a request. A parameter that is given several times is a list. */
export function parseQuery<T>(
  facts: Pick<OpenFacts, 'unknownFields'>,
  schema: z.ZodType<T>,
  query: Record<string, string[]>,
): T {
  const single = Object.entries(query).map(([key, values]): [string, unknown] => [
    key,
    values.length === 1 ? values[0] : values,
  ]);
  return parseRequest(facts, schema, Object.fromEntries(single));
}

/** The list envelope. `count` is the number of all rows that match, not only of those on the page. */
export function toPage<Row, Wire>(
  rows: readonly Row[],
  page: Page,
  format: (row: Row) => Wire,
): { count: number; results: Wire[] } {
  const shown = rows.slice(page.offset, page.offset + page.limit);
  return { count: rows.length, results: shown.map(format) };
}

type SortKey = string | number;

/**
 * The comparison behind `order_by`, such as `name.desc`. `keysOf` returns the values of a field; the
 * first values that differ decide.
 */
export function orderedBy<Row>(
  orderBy: string,
  keysOf: (row: Row, field: string) => readonly SortKey[],
): (a: Row, b: Row) => number {
  const [field = '', direction] = orderBy.split('.');
  const sign = direction === 'desc' ? -1 : 1;
  return (a, b) => {
    const others = keysOf(b, field);
    const orders = keysOf(a, field).map((key, index) => compare(key, others[index] ?? key));
    return sign * (orders.find((order) => order !== 0) ?? 0);
  };
}

function compare(a: SortKey, b: SortKey): number {
  return a < b ? -1 : Number(a > b);
}
