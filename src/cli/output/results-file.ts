import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { CliError, ExitCode } from '../cli-error.js';
import { codeOf } from './error-text.js';
import { toTerminalText } from './terminal-text.js';

export type Lines = Iterable<object> | AsyncIterable<object>;

/**
 * @throws CliError before anything is sent, where results would take the place of the list that they are about, or could not
 *   be written in the end
 */
export function checkResultsFile(results: string | undefined, list: string | undefined): void {
  if (results === undefined) return;
  if (isSameFile(results, list)) {
    throw badFile(results, 'is the list itself: name another file for --results');
  }
  const fault = placeFault(results);
  if (fault !== undefined) throw badFile(results, fault);
}

/** New results are written beside the file, and take its place. */
function placeFault(results: string): string | undefined {
  const isThere = existsSync(results);
  if (isThere && statSync(results).isDirectory()) return 'is a folder';
  // A pipe or a terminal takes the lines as they come.
  if (isThere && !statSync(results).isFile()) return undefined;
  const folder = dirname(isThere ? realpathSync(results) : results);
  const isFolder = existsSync(folder) && statSync(folder).isDirectory();
  if (!isFolder) return `cannot be written: there is no folder ${folder}`;
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return `cannot be written (${codeOf(error) ?? 'no access'})`;
  }
}

export function isSameFile(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (!existsSync(one) || !existsSync(other)) return false;
  return realpathSync(one) === realpathSync(other);
}

interface Written {
  count: number;
  /** Where the file is now that was there before. */
  kept?: string;
}

/**
 * Writes one JSON object per line. Results that are there already are kept under another name, unless they are the
 * same or the new ones have them too. They stay as they are when the new ones cannot be had or written.
 */
export async function writeResults(
  file: string,
  lines: Lines,
  { holdsEarlier = false }: { holdsEarlier?: boolean } = {},
): Promise<Written> {
  if (existsSync(file) && !statSync(file).isFile())
    return { count: await write(file, file, lines) };
  const path = existsSync(file) ? realpathSync(file) : file;
  const fresh = `${path}.new`;
  try {
    const count = await write(file, fresh, lines);
    const isKept = !holdsEarlier && existsSync(path) && !(await areEqual(path, fresh));
    const kept = isKept ? unusedName(path) : undefined;
    if (kept !== undefined) await rename(path, kept);
    await rename(fresh, path);
    return { count, ...(kept !== undefined && { kept }) };
  } finally {
    await rm(fresh, { force: true });
  }
}

/** @param named how the person calls the file */
async function write(named: string, path: string, lines: Lines): Promise<number> {
  const texts = textsOf(lines);
  // A file is opened only when there are lines to be had.
  const first = await texts.next();
  let count = 0;
  async function* counted(): AsyncGenerator<string> {
    for (let next = first; next.done !== true; next = await texts.next()) {
      count += 1;
      yield next.value;
    }
  }
  try {
    await pipeline(Readable.from(counted()), createWriteStream(path));
  } catch (error) {
    const code = codeOf(error);
    // Anything else has come with the lines.
    throw code === undefined ? error : unwritten(named, code);
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

async function areEqual(one: string, other: string): Promise<boolean> {
  if (statSync(one).size !== statSync(other).size) return false;
  const [a, b] = [one, other].map((path) => createReadStream(path)[Symbol.asyncIterator]());
  for (;;) {
    const [first, second] = await Promise.all([a?.next(), b?.next()]);
    if (first?.done !== false || second?.done !== false) return true;
    if (!Buffer.from(first.value).equals(Buffer.from(second.value))) return false;
  }
}

/** `done.jsonl.1`, or the next number that no file has. */
function unusedName(path: string): string {
  for (let number = 1; ; number++) {
    const name = `${path}.${number}`;
    if (!existsSync(name)) return name;
  }
}

/** Everything has been sent by now. */
function unwritten(path: string, code: string): CliError {
  return new CliError({
    type: 'ResultsNotWritten',
    message: 'The results could not be written. The run knows them all the same.',
    advice:
      'Mend the place, or name another file, and run the command again under the same request id: nothing is done twice.',
    exitCode: ExitCode.failed,
    faults: [{ path, message: `cannot be written (${code})` }],
  });
}

function badFile(path: string, message: string): CliError {
  return new CliError({
    type: 'InvalidInput',
    message: 'A file is missing or has a fault.',
    advice: 'Give --results a file of its own, in a folder that you may write to.',
    exitCode: ExitCode.badInput,
    faults: [{ path, message }],
  });
}
