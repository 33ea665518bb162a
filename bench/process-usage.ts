import { readFileSync } from 'node:fs';

const MIB = 1024 ** 2;
/** Linux on x86-64 and arm64. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4_096;

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

function read(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid ?? 0}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
