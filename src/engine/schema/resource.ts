import { z } from 'zod';

/** The words that differ from product to product: names of operations, kinds of resources. */
export interface Words<O extends z.ZodType<string>, K extends z.ZodType<string>> {
  operation: O;
  kind: K;
}

/** Something at the API that a run created or adopted and that exists or may exist. */
export function resourceSchemaOf<K extends z.ZodType<string>>({ kind }: { kind: K }) {
  return z.object({ kind, id: z.string() });
}
