// JavaScript, because jest loads a global setup without the resolver that finds ./x.ts for ./x.js.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives the tests their own temporary folder. `removeTempFolder` removes it with all that they left
 * there. The processes that run tests start later and inherit TMPDIR. Every jest project calls this
 * function; only the first call makes a folder.
 */
export default function ownTempFolder() {
  if (globalThis.tempFolder !== undefined) return;
  globalThis.tempFolder = mkdtempSync(join(tmpdir(), 'gcore-workflows-tests-'));
  process.env.TMPDIR = globalThis.tempFolder;
}

export function removeTempFolder() {
  rmSync(globalThis.tempFolder, { recursive: true, force: true });
}
