import { readFile } from 'node:fs/promises';

import type { z } from 'zod';

import { parseInput, type Fault } from '../../contract/index.js';
import { InvalidInputError } from '../../client/index.js';
import { CliError } from '../cli-error.js';
import type { CliIo } from '../cli-io.js';
import { codeOf, messageOf } from '../output/error-text.js';
import { ExitCode } from '../exit-code.js';
import { locateJsonFault } from './locate-json-fault.js';

/** Reads a JSON document from a file, or from stdin for `-`. */
export async function readInput(file: string, io: Pick<CliIo, 'readStdin'>): Promise<unknown> {
  const name = file === '-' ? 'stdin' : file;
  const text = await readText(file, io);
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json);
  } catch {
    // The parser's message quotes the text around the fault, which may be a password.
    throw notJson(name, json);
  }
}

function notJson(name: string, json: string): CliError {
  const { line, column, message } = locateJsonFault(json) ?? UNKNOWN_PLACE;
  const path = `${name}:${line}:${column}`;
  return badInput('The input is not JSON.', { path, message });
}

const UNKNOWN_PLACE = { line: 1, column: 1, message: 'cannot be parsed' };

async function readText(file: string, io: Pick<CliIo, 'readStdin'>): Promise<string> {
  if (file === '-') return io.readStdin();
  try {
    return await readFile(file, 'utf8');
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
