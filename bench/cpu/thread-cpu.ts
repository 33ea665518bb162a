import { readdirSync, readFileSync } from 'node:fs';

const THREADS = '/proc/self/task';

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
