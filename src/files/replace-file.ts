import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

const ONLY_OWNER = 0o600;

/**
 * Writes a new file and then renames it: who reads meanwhile sees the old content or the new one. A new file is for its
 * owner only; an old one keeps its mode.
 */
export function replaceFile(file: string, text: string): void {
  const isThere = existsSync(file);
  const path = isThere ? realpathSync(file) : file;
  const mode = isThere ? statSync(path).mode : ONLY_OWNER;
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, text, { mode });
  renameSync(`${path}.new`, path);
}
