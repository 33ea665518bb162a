import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { z } from 'zod';

/** What some files were made of, and what they then were: SHA-256 by path; `null` for a file that was not there. */
const recordSchema = z.object({
  setting: z.string(),
  inputs: z.record(z.string(), z.string().nullable()),
  outputs: z.record(z.string(), z.string()),
});

export interface Made {
  /** Milliseconds since the epoch, before anything was read. */
  startedAt: number;
  /** What else decides the result, and no file says. */
  setting: unknown;
  /** Paths of all that was read, the code that did the work included; and of what was looked for and was not there. */
  inputs: readonly string[];
  /** Paths of what was written. */
  outputs: readonly string[];
}

/** Whether making it again would read the same, with the same code, and so write what is there already. */
export async function isUpToDate(file: string, setting: unknown): Promise<boolean> {
  const record = await readRecord(file);
  if (record?.setting !== JSON.stringify(setting)) return false;
  const expected = Object.entries({ ...record.inputs, ...record.outputs });
  const found = await Promise.all(expected.map(async ([path]) => digestOf(path)));
  return expected.every(([, digest], at) => digest === found[at]);
}

/** Keeps no record when an input has changed meanwhile: what was read of it is not known. */
export async function keepRecord(
  file: string,
  { startedAt, setting, inputs, outputs }: Made,
): Promise<void> {
  await rm(file, { force: true });
  const record = {
    setting: JSON.stringify(setting),
    inputs: await digestsOf(inputs),
    outputs: await digestsOf(outputs),
  };
  const changes = await Promise.all(inputs.map(changedAt));
  if (changes.some((at) => at >= startedAt)) return;
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(record));
  await rename(draft, file);
}

async function readRecord(file: string): Promise<z.output<typeof recordSchema> | undefined> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

async function digestsOf(paths: readonly string[]): Promise<Record<string, string | null>> {
  const unique = [...new Set(paths)].sort();
  const found = await Promise.all(
    unique.map(async (path) => [path, await digestOf(path)] as const),
  );
  return Object.fromEntries(found);
}

async function digestOf(path: string): Promise<string | null> {
  const content = await readFile(path).catch(() => undefined);
  return content === undefined ? null : createHash('sha256').update(content).digest('hex');
}

/** Not the time of the content, which a copy may keep. Of a folder only the files count that were looked for in it. */
async function changedAt(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true ? found.ctimeMs : 0;
}
