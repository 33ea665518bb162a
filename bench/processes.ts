import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MIB = 1024 ** 2;
/** Linux on x86-64 and arm64. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4_096;
const THREADS = '/proc/self/task';

/** CPU milliseconds of a process so far, all its threads together; NaN where the system does not tell. */
export function cpuMsOf(pid: number | undefined): number {
  // The name of the process is in brackets and may hold spaces.
  const [, fields = ''] = read(pid, 'stat').split(') ');
  const [user, system] = fields.split(' ').slice(11);
  return ((Number(user) + Number(system)) * 1_000) / TICKS_PER_SECOND;
}

/** Resident memory of a process in MiB; NaN where the system does not tell. */
export function residentMibOf(pid: number | undefined): number {
  const [, pages] = read(pid, 'statm').split(' ');
  return (Number(pages) * PAGE_BYTES) / MIB;
}

/** The most resident memory that a process has had, in MiB; NaN where the system does not tell. */
export function peakMibOf(pid: number | undefined): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(read(pid, 'status')) ?? [];
  return Number(kib) / 1_024;
}

function read(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid ?? 0}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** The development server of Temporal at this address; missing where the system does not tell, or it runs elsewhere. */
export function temporalPidAt(address: string): number | undefined {
  const port = address.split(':').at(-1);
  return processIds().find((pid) => {
    const words = read(pid, 'cmdline').split('\0');
    // The process that guards it has the same words, but they begin later.
    return words[1] === 'server' && words[words.indexOf('--port') + 1] === port;
  });
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Ids of the threads of this process; empty when the system does not show them. */
export function threadIds(): string[] {
  try {
    return readdirSync(THREADS);
  } catch {
    return [];
  }
}

/** CPU milliseconds of these threads so far; NaN without threads. */
export function threadCpu(ids: readonly string[]): number {
  const used = ids.map((id) => {
    const [nanoseconds] = readFileSync(`${THREADS}/${id}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  });
  return used.length === 0 ? Number.NaN : used.reduce((sum, ms) => sum + ms, 0);
}

/** CPU milliseconds of the whole process so far. */
export function processCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export interface MemorySample {
  residentMib: number;
  /** Of the main thread: workflows have a thread of their own, which only the resident memory shows. */
  heapMib: number;
}

/** A process of the product, as in production, whose memory is sampled. */
export interface WatchedProcess {
  memory: () => Promise<MemorySample>;
  /** SIGTERM; resolves with the exit code. */
  stop: () => Promise<number | null>;
}

const REPORTER = fileURLToPath(new URL('report-memory.js', import.meta.url));

/** Starts a script of the product with only this environment, and waits until it has said the text. */
export async function startWatched(
  [script, ...args]: readonly [string, ...string[]],
  environment: Record<string, string>,
  text: string,
): Promise<WatchedProcess> {
  const child = spawn(process.execPath, ['--import', REPORTER, resolve(script), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exit = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  if (child.stderr === null) throw new Error('stderr is not a pipe');
  const lines = createInterface({ input: child.stderr });
  await new Promise<void>((found, missed) => {
    let last = '';
    lines.on('line', (line) => {
      last = line;
      if (line.includes(text)) found();
    });
    lines.on('close', () => {
      missed(new Error(`${script} has ended: ${last}`));
    });
  });
  return {
    async memory() {
      const residentMib = residentMibOf(child.pid);
      if (!child.connected) throw new Error(`${script} has ended`);
      child.send('memory');
      const [bytes] = (await once(child, 'message')).map(Number);
      return { residentMib, heapMib: (bytes ?? Number.NaN) / MIB };
    },
    stop() {
      child.kill('SIGTERM');
      return exit;
    },
  };
}
