// JavaScript, because jest loads a global setup outside the module system that finds ./x.ts for ./x.js.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What tests leave in the temporary folder goes when all have ended: they get one of their own,
 * inherited by the processes that run them, which start after this. Once for all jest projects.
 */
export default function ownTempFolder() {
  if (globalThis.tempFolder !== undefined) return;
  globalThis.tempFolder = mkdtempSync(join(tmpdir(), 'gcore-workflows-tests-'));
  process.env.TMPDIR = globalThis.tempFolder;
}

export function removeTempFolder() {
  rmSync(globalThis.tempFolder, { recursive: true, force: true });
}
