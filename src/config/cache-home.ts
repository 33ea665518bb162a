import type { Environment } from './environment.js';

/** The user's folder for caches, where it was moved: `XDG_CACHE_HOME`. */
export function loadCacheHome(environment: Environment = process.env): string | undefined {
  return environment['XDG_CACHE_HOME'];
}
