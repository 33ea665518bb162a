import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { z } from 'zod';

import { toRanges } from '../../contract/index.js';
import { CliError, ExitCode } from '../cli-error.js';
import type { CliIo } from '../cli-io.js';
import { codeOf } from '../output/error-text.js';
import { toTerminalText } from '../output/terminal-text.js';
import { readList } from './read-list.js';

export type Lines = Iterable<object> | AsyncIterable<object>;

/** Writes one JSON object per line; returns the number of lines. The file stays as it was when there are no lines to be had. */
export async function writeLines(file: string, lines: Lines): Promise<number> {
  const texts = textsOf(lines);
  const first = await texts.next();
  let count = 0;
  async function* counted(): AsyncGenerator<string> {
    for (let next = first; next.done !== true; next = await texts.next()) {
      count += 1;
      yield next.value;
    }
  }
  try {
    await pipeline(Readable.from(counted()), createWriteStream(file));
  } catch (error) {
    const code = codeOf(error);
    // Anything else has come with the lines.
    throw code === undefined ? error : badFile(file, `cannot be written (${code})`);
  } finally {
    // Nobody waits for a line that comes too late for a file that cannot be written.
    texts.return(undefined).catch(() => undefined);
  }
  return count;
}

async function* textsOf(lines: Lines): AsyncGenerator<string, undefined> {
  for await (const line of lines) {
    // People read the file on a terminal too; the escapes leave the JSON the same.
    yield toTerminalText(`${JSON.stringify(line)}\n`);
  }
}

function badFile(path: string, message: string): CliError {
  return new CliError({
    type: 'InvalidInput',
    message: 'A file is missing or has a fault.',
    advice: 'Give a list as JSON Lines (one object a line) or as a JSON array.',
    exitCode: ExitCode.badInput,
    faults: [{ path, message }],
  });
}

const resultSchema = z.object({
  line: z.number().int().min(1),
  outcome: z.string(),
  class: z.string().optional(),
});

/** The lines of earlier results to try again, as ranges. */
export async function failedLines(
  file: string,
  io: Pick<CliIo, 'readStdin'>,
  classes?: readonly string[],
): Promise<string> {
  const { items, faults, placeOf } = await readList(file, io);
  const [fault] = faults;
  if (fault !== undefined) throw wrongResults(fault.path, fault.message);
  const results = items.map((json, at) => {
    const parsed = resultSchema.safeParse(json);
    if (parsed.success) return parsed.data;
    throw wrongResults(placeOf(at) ?? file, 'is not a line of results');
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
