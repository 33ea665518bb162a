import { z } from 'zod';

import { toRanges } from '../../contract/index.js';
import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import { readJsonLines } from '../input/import-files.js';

const resultSchema = z.object({
  line: z.number().int().min(1),
  outcome: z.string(),
  class: z.string().optional(),
});

/** The lines of earlier results to try again, as ranges. */
export async function failedLines(file: string, classes?: readonly string[]): Promise<string> {
  const results = (await readJsonLines(file)).map((json, at) => {
    const parsed = resultSchema.safeParse(json);
    if (parsed.success) return parsed.data;
    throw wrongResults(`${file}:${at + 1}`, 'is not a line of results');
  });
  const chosen = results.filter(({ outcome, class: kind = '' }) =>
    classes === undefined
      ? outcome === 'failed' || outcome === 'untried'
      : outcome === 'failed' && classes.includes(kind),
  );
  if (chosen.length > 0) return toRanges(chosen.map(({ line }) => line).sort((a, b) => a - b));
  const known = [...new Set(results.flatMap(({ class: kind }) => kind ?? []))].join(', ');
  throw wrongResults(file, `has nothing to try again${known === '' ? '' : `; classes: ${known}`}`);
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
