import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { killGroup } from '../test/support/workers/kill-group.js';
import type { Bench, Settings, Size } from './bench.js';
import { parseMeasured, type Measured } from './document/figure.js';

export interface Job<B extends Bench = Bench> {
  bench: B;
  part: string;
  size: Size;
  given: Settings;
}

export type Outcome = { measured: Measured } | { reason: string };

const SCRIPT = fileURLToPath(new URL('measure-part.js', import.meta.url));
const MINUTE_MS = 60_000;
/** A part that takes three times as long as all parts should, and ten minutes more, hangs. */
const PATIENCE = 3;
const EXTRA_MINUTES = 10;
const MOST_MINUTES = 7 * 24 * 60;
const MAX_REASON = 300;

/** Measures in a process of its own, so that no bench finds memory, threads or connections of another. */
export async function runPart({ bench, part, size, given }: Job): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'figure-'));
  const answer = join(folder, 'answer.json');
  // stdout is for the summary.
  const words = [SCRIPT, bench.id, part, size, JSON.stringify(given), answer];
  const child = spawn(process.execPath, words, {
    detached: true,
    stdio: ['ignore', 2, 2],
  });
  const limitMs = limitOf(bench, given);
  try {
    const isLate = await endOrKill(child, limitMs);
    if (isLate) return { reason: `it did not end within ${limitMs / MINUTE_MS} minutes.` };
    return readAnswer(answer, child);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A caller who asks for more than the published figure waits for it. */
function limitOf({ minutes }: Bench, given: Settings): number {
  const limit = PATIENCE * minutes + EXTRA_MINUTES;
  return (Object.keys(given).length === 0 ? limit : Math.max(limit, MOST_MINUTES)) * MINUTE_MS;
}

async function endOrKill(child: ChildProcess, limitMs: number): Promise<boolean> {
  let isLate = false;
  const kill = (): void => {
    killGroup(child);
  };
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, limitMs);
  const interrupt = (): void => {
    kill();
    process.exit(130);
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  await once(child, 'exit');
  clearTimeout(timer);
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  // Workers and clients of a bench that failed are in its process group.
  kill();
  return isLate;
}

function readAnswer(file: string, { exitCode, signalCode }: ChildProcess): Outcome {
  if (!existsSync(file)) {
    return { reason: `its process ended with ${exitCode ?? signalCode ?? 'no code'}.` };
  }
  const answer: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const reason: unknown = Reflect.get(Object(answer), 'reason');
  if (typeof reason === 'string') return { reason: toReason(reason) };
  return { measured: parseMeasured(answer) };
}

/** One line without the folders of the machine. */
function toReason(text: string): string {
  const [line = ''] = text.replaceAll(process.cwd(), '.').split('\n', 1);
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)} …` : line;
}
