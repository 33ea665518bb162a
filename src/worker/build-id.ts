import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { z } from 'zod';

import { HELD_BACK_PATCHES } from './held-back-patches.js';
import { bundleVariants } from './workflow-bundle.js';

const DIGITS = 12;
/** Names the folder of the build, so it differs between two builds of one source. */
const SOURCE_MAP = /\n\/\/# sourceMappingURL=\S*\s*$/;

/**
 * Names what decides whether a history replays: the workflow code, the version of the SDK that runs it, and the
 * patches that are held back. Two builds of one source have the same id, and so have two releases that differ in
 * their activities only: a run may go from one to the other. It covers every variant of the bundle and not only the
 * one that this process loads: a worker with encryption and one without have the same code, so they share their runs.
 *
 * @returns `undefined` before `npm run build`
 */
export async function readBuildId(
  bundlePaths: readonly string[] = bundleVariants().map(({ path }) => path),
): Promise<string | undefined> {
  let codes: string[];
  try {
    codes = await Promise.all(bundlePaths.map((path) => readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
  return buildIdOf({ codes, sdk: sdkVersion(), heldBack: HELD_BACK_PATCHES });
}

export function buildIdOf({
  codes,
  sdk,
  heldBack,
}: {
  codes: readonly string[];
  sdk: string;
  heldBack: readonly string[];
}): string {
  const parts = [codes.map((code) => code.replace(SOURCE_MAP, '')), sdk, [...heldBack].sort()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, DIGITS);
}

function sdkVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('@temporalio/worker/package.json');
  return z.object({ version: z.string() }).parse(manifest).version;
}
