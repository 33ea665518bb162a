/** Fields that the operations on many items have in common. */
import { z } from 'zod';

/** Of a list in an input, as JSON: Temporal takes payloads of 2 MiB, and a history may store the list twice. */
export const MAX_INLINE_BYTES = 1024 ** 2;

const RANGES = /^[1-9]\d{0,5}(-[1-9]\d{0,5})?( [1-9]\d{0,5}(-[1-9]\d{0,5})?)*$/;

/** Some lines of a list, such as `1-500 502`. */
export function linesSchema(last: number) {
  return z
    .string()
    .regex(RANGES, { error: 'must be numbers and ranges, such as "1-500 502"' })
    .refine((text) => isAscending(text, last), {
      error: `must be in ascending order, up to ${last}`,
    });
}

function isAscending(text: string, last: number): boolean {
  const numbers = text.split(/[ -]/).map(Number);
  const isNext = (number: number, index: number) => number > (numbers[index - 1] ?? 0);
  return numbers.every(isNext) && (numbers.at(-1) ?? 0) <= last;
}

/** How many items may fail before the run fails. @param items such as `videos` */
export function tolerateSchema(items: string) {
  return z.union(
    [
      z.strictObject({ count: z.number().int().min(0).describe(`so many ${items}`) }),
      z.strictObject({
        percent: z.number().min(0).max(100).describe(`so many in a hundred ${items}`),
      }),
    ],
    { error: 'must be { "count": 10 } or { "percent": 5 }' },
  );
}
export type Tolerate = z.infer<ReturnType<typeof tolerateSchema>>;

/** Lines with the same failure. */
export function failedLinesSchema({ example, text }: { example: string; text: string }) {
  return z.object({
    class: z.string().describe(`such as ${example}`),
    text: z.string().describe(text),
    lines: z.string().describe('such as "3 17 20-25"'),
  });
}
