import { z } from 'zod';

/** How many of the videos of an import ended in which way. */
export const importCountsSchema = z.object({
  asked: z.number(),
  succeeded: z.number(),
  failed: z.number(),
  pending: z.number(),
  untried: z.number(),
  /** Succeeded, although the video carries an error text. */
  warned: z.number(),
  byClass: z.record(z.string(), z.number()),
});
export type ImportCounts = z.infer<typeof importCountsSchema>;
