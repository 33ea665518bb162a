import { readFile } from 'node:fs/promises';

import type { z } from 'zod';

import { InvalidInputError } from '../../client/index.js';
import { decodeText } from '../../engine/core/decode-text.js';
import { parseInput, type Fault } from '../../contract/index.js';
import { parseJson } from '../../contract/parse-json.js';
import { toPath } from '../../engine/core/faults.js';
import { CliError, ExitCode } from '../cli-error.js';
import type { CliIo } from '../cli-io.js';
import { codeOf, messageOf } from '../output/error-text.js';

/** Reads a JSON document from a file, or from stdin for `-`. */
export async function readInput(file: string, io: Pick<CliIo, 'readStdin'>): Promise<unknown> {
  return parseDocument(file === '-' ? 'stdin' : file, await readText(file, io));
}

/** The text of a file, or of stdin for `-`. */
export async function readText(file: string, io: Pick<CliIo, 'readStdin'>): Promise<string> {
  const name = file === '-' ? 'stdin' : file;
  const decoded = decodeText(await readBytes(file, io));
  if (decoded.ok) return decoded.text;
  throw badInput('The input is no text.', { path: name, message: decoded.fault });
}

/** @param name for faults */
export function parseDocument(name: string, text: string): unknown {
  const json = parseJson(text);
  if (json.ok) return json.value;
  const { path, line, column, message } = json.fault;
  const what = path.length === 0 ? '' : `${toPath(path)} `;
  throw badInput(json.isJson ? 'The input is ambiguous.' : 'The input is not JSON.', {
    path: `${name}:${line}:${column}`,
    message: `${what}${message}`,
  });
}

async function readBytes(file: string, io: Pick<CliIo, 'readStdin'>): Promise<Uint8Array> {
  if (file === '-') return io.readStdin();
  try {
    return await readFile(file);
  } catch (error) {
    const code = codeOf(error) ?? messageOf(error);
    const message = REASONS[code] ?? `cannot be read (${code})`;
    throw badInput('The input cannot be read.', { path: file, message });
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'cannot be read by this user',
};

function badInput(message: string, fault: Fault): CliError {
  return new CliError({
    type: 'InvalidInput',
    message,
    advice: 'Nothing was sent. Name a JSON file, or - to read JSON from stdin.',
    exitCode: ExitCode.badInput,
    faults: [fault],
  });
}

/** The same check as in the client and the worker, before any connection. */
export function checkInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = parseInput(schema, input);
  if (!parsed.ok) throw new InvalidInputError(parsed.faults);
  return parsed.value;
}

/** The one file that an argument or `--file` names. `usage` shows how. */
export function onlyFile(
  argument: string | undefined,
  option: string | undefined,
  usage: string,
): string {
  const file = argument ?? option;
  if (file !== undefined && (argument === undefined || option === undefined)) return file;
  throw new CliError({
    type: 'Usage',
    message: file === undefined ? 'The input file is missing.' : 'Two input files are named.',
    advice: `Name one JSON file, or - to read JSON from stdin: ${usage}`,
    exitCode: ExitCode.badInput,
  });
}
