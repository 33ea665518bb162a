import { z } from 'zod';

import { toRanges } from '../../contract/index.js';
import { CliError, ExitCode } from '../cli-error.js';
import type { CliIo } from '../cli-io.js';
import { readList } from './read-list.js';

const resultSchema = z.looseObject({
  line: z.number().int().min(1),
  outcome: z.string(),
  class: z.string().optional(),
});

/** One line of earlier results, with whatever else it says. */
export type EarlierResult = z.infer<typeof resultSchema>;

/** Reads what `--results` wrote. */
export async function readResults(
  file: string,
  io: Pick<CliIo, 'readStdin'>,
): Promise<EarlierResult[]> {
  const { items, faults, placeOf } = await readList(file, io);
  const [fault] = faults;
  if (fault !== undefined) throw wrongResults(fault.path, fault.message);
  return items.map((json, at) => {
    const parsed = resultSchema.safeParse(json);
    if (parsed.success) return parsed.data;
    throw wrongResults(placeOf(at) ?? file, 'is not a line of results');
  });
}

/** The lines of earlier results to try again, as ranges. */
export function failedLines(
  file: string,
  results: readonly EarlierResult[],
  classes?: readonly string[],
): string {
  const chosen = results.filter(({ outcome, class: kind = '' }) =>
    classes === undefined
      ? outcome === 'failed' || outcome === 'untried'
      : outcome === 'failed' && classes.includes(kind),
  );
  if (chosen.length > 0) return toRanges(chosen.map(({ line }) => line).sort((a, b) => a - b));
  const known = [...new Set(results.flatMap(({ class: kind }) => kind ?? []))].join(', ');
  throw wrongResults(file, `has nothing to try again${known === '' ? '' : `; classes: ${known}`}`);
}

/** The new results, and those of the earlier ones that no new one has replaced; both in the order of the lines. */
export async function* mergeResults(
  earlier: readonly EarlierResult[],
  fresh: AsyncIterable<{ line: number }>,
): AsyncGenerator<{ line: number }> {
  const known = earlier.toSorted((one, other) => one.line - other.line);
  let at = 0;
  for await (const result of fresh) {
    for (let old = known[at]; old !== undefined && old.line <= result.line; old = known[++at]) {
      if (old.line < result.line) yield old;
    }
    yield result;
  }
  yield* known.slice(at);
}

function wrongResults(path: string, message: string): CliError {
  return new CliError({
    type: 'InvalidInput',
    message: 'There is nothing to run again.',
    advice: 'Nothing was sent. Give the file that --results wrote.',
    exitCode: ExitCode.badInput,
    faults: [{ path, message }],
  });
}
