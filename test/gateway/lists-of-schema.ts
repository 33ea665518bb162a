import { z } from 'zod';

const nodeSchema = z.looseObject({
  type: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).default([]),
  oneOf: z.array(z.unknown()).default([]),
});

/**
 * A value with what `fill` gives for each list that a JSON Schema knows, and nothing else. `undefined` where it knows
 * none.
 */
function fillLists(schema: unknown, fill: (items: unknown) => unknown): unknown {
  if (!(schema instanceof Object)) return undefined;
  const { type, properties, items, anyOf, oneOf } = nodeSchema.parse(schema);
  if (type === 'array') return fill(items);
  const fields = Object.entries(properties)
    .map(([name, field]) => [name, fillLists(field, fill)] as const)
    .filter(([, value]) => value !== undefined);
  if (fields.length > 0) return Object.fromEntries(fields);
  return [...anyOf, ...oneOf]
    .map((each) => fillLists(each, fill))
    .find((each) => each !== undefined);
}

/** Each list of a schema has this many items, which are wrong. */
export function wrongItems(schema: unknown, count: number): unknown {
  return fillLists(schema, () => Array<unknown>(count).fill({}));
}

/** Each list in the items of a list of a schema has this many items, which are wrong. */
export function wrongItemsOfItems(schema: unknown, count: number): unknown {
  const each = Math.floor(Math.sqrt(count));
  return fillLists(schema, (items) => {
    const item = wrongItems(items, each);
    return item === undefined ? undefined : Array<unknown>(each).fill(item);
  });
}
