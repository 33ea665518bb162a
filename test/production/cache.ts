import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { defaultCacheDir } from '../../src/dev/temporal-cli.js';

/**
 * Builds, packages and images of the proof. They outlive a run, because the first one takes ten minutes to make them. They
 * are outside of the project: an image holds a whole file system, in which jest would look for tests.
 */
const CACHE = process.env['PRODUCTION_CACHE'] ?? join(defaultCacheDir(), 'production');

/** A path in the cache. Its folder exists. */
export function inCache(...path: string[]): string {
  const full = join(CACHE, ...path);
  mkdirSync(dirname(full), { recursive: true });
  return full;
}

/** Where built binaries are. */
export const BIN = join(CACHE, 'bin');
