import type { Exchanged } from '../../activities/index.js';

/** Answers that ask for different hands. */
const NAMED = new Set([401, 403, 404, 409, 429]);

/** The class of an exchange for metrics: a handful of values, whatever the API answers. */
export function classOfCall({ status, lost }: Exchanged): string {
  if (status === undefined) return lost ?? 'connection_lost';
  if (NAMED.has(status)) return String(status);
  return status >= 200 && status < 600 ? `${Math.floor(status / 100)}xx` : '5xx';
}
