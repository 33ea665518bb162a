import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { z } from 'zod';

import { decodeText } from '../../engine/core/decode-text.js';
import { reportLines, toRanges, type ImportReport } from '../../contract/index.js';
import { formatJsonFault, parseJson, type ParsedJson } from '../../contract/parse-json.js';
import { CliError, ExitCode } from '../cli-error.js';
import { codeOf } from '../output/error-text.js';
import { toTerminalText } from '../output/terminal-text.js';

/** Limit for a list in the request (see `importVideosInputSchema`), with room for white space. */
const MAX_INLINE_BYTES = 2 * 1024 ** 2;

/** Reads videos from a local file. Does not check them. */
export async function readVideos(file: string): Promise<unknown[]> {
  const { size } = await stat(file).catch((error: unknown) => {
    throw badFile(file, readFault(error));
  });
  if (size > MAX_INLINE_BYTES) {
    throw badFile(
      file,
      'is too large for a request: put it below GCORE_MANIFEST_ROOT of the worker and name it as file:PATH',
    );
  }
  return readJsonLines(file);
}

async function readJsonLines(file: string): Promise<unknown[]> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw badFile(file, readFault(error));
  });
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw badFile(file, decoded.fault);
  const lines = decoded.text.replace(/\r?\n$/, '').split('\n');
  return lines.map((line, at) => {
    const json = parseJson(line);
    if (json.ok) return json.value;
    throw badFile(`${file}:${at + 1}`, lineFault(json));
  });
}

function lineFault({ isJson, fault }: Extract<ParsedJson, { ok: false }>): string {
  if (!isJson) return 'is not JSON: each line must be one complete object';
  return formatJsonFault({ ok: false, isJson, fault });
}

/** Writes one JSON object per line; returns the number of lines. */
export async function writeResults(file: string, report: ImportReport): Promise<number> {
  let count = 0;
  function* texts(): Generator<string> {
    for (const line of reportLines(report)) {
      count += 1;
      // People read the file on a terminal too; the escapes leave the JSON the same.
      yield toTerminalText(`${JSON.stringify(line)}\n`);
    }
  }
  try {
    await pipeline(Readable.from(texts()), createWriteStream(file));
  } catch (error) {
    throw badFile(file, `cannot be written (${codeOf(error) ?? 'unknown error'})`);
  }
  return count;
}

function readFault(error: unknown): string {
  const code = codeOf(error) ?? 'unknown error';
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
}

function badFile(path: string, message: string): CliError {
  return new CliError({
    type: 'InvalidInput',
    message: 'A file is missing or has a fault.',
    advice:
      'Give videos as JSON Lines: one object a line, such as {"name": "a", "origin_url": "https://…"}.',
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
