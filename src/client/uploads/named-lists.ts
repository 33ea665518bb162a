import { z } from 'zod';

interface NamedList {
  /** The names that lead to it in the input, such as `items[3].manifest.url`. */
  path: string;
  url: string;
}

const namingSchema = z.object({ manifest: z.object({ url: z.string() }) });

/** Each item of a batch is an input of its operation, with the defaults. */
const batchSchema = z.object({ items: z.array(z.unknown()).optional(), defaults: z.unknown() });

/** The lists by reference that an input names, whatever its form: its own, and those of the items of a batch. */
export function namedLists(input: unknown): NamedList[] {
  const { items = [], defaults } = batchSchema.partial().safeParse(input).data ?? {};
  return [
    ...listAt('', input),
    ...listAt('defaults.', defaults),
    ...items.flatMap((item, at) => listAt(`items[${at}].`, item)),
  ];
}

function listAt(base: string, value: unknown): NamedList[] {
  const { data } = namingSchema.safeParse(value);
  return data === undefined ? [] : [{ path: `${base}manifest.url`, url: data.manifest.url }];
}
