import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const OTHERS_MAY_READ = 0o004;
const OTHERS_MAY_ENTER = 0o001;

/**
 * A warning about a file of secrets that any user of this machine may read; `undefined` when there is none. Only of
 * files of this process' own user: Compose and Kubernetes mount secrets that belong to somebody else, and nobody else
 * is in the container.
 */
export function readableByOthers(file: string): string | undefined {
  const path = resolve(file);
  const { uid, mode } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (uid === undefined || uid !== process.getuid?.()) return undefined;
  if (((mode ?? 0) & OTHERS_MAY_READ) === 0 || !foldersOf(path).every(mayEnter)) return undefined;
  return `${file} can be read by every user of this machine. Close it: chmod go= ${file}`;
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersOf(folder)];
}

function mayEnter(folder: string): boolean {
  return ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS_MAY_ENTER) !== 0;
}
