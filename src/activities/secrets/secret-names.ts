import type { SecretPlace } from '../../contract/wire/secret-ref.js';
import { secretRefsIn } from './read-secrets.js';

/** More names than a plan checks. */
const MAX_NAMES = 501;

/** The first secrets that the lines of a manifest name, each once. */
export function createSecretNames() {
  const seen = new Map<string, SecretPlace>();
  return {
    note(line: unknown): void {
      for (const ref of secretRefsIn(line)) {
        if (seen.size >= MAX_NAMES) return;
        const id = JSON.stringify([ref.$secret, ref.key]);
        if (!seen.has(id)) seen.set(id, { path: 'manifest', ref });
      }
    },
    found: (): { secrets?: SecretPlace[] } =>
      seen.size === 0 ? {} : { secrets: [...seen.values()] },
  };
}
