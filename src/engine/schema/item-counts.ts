import { z } from 'zod';

/** How many items of a bulk run ended in which way. */
export const itemCountsSchema = z.object({
  asked: z.number(),
  succeeded: z.number(),
  failed: z.number(),
  pending: z.number(),
  untried: z.number(),
  /** Succeeded, although the item carries an error text. */
  warned: z.number(),
  byClass: z.record(z.string(), z.number()),
});
export type ItemCounts = z.infer<typeof itemCountsSchema>;
