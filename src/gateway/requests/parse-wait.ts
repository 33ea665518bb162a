import { parseDuration } from '../../engine/core/parse-duration.js';

export type ParsedWait = { ok: true; ms: number } | { ok: false; message: string };

/** Proxies between a caller and the gateway usually give up after a minute. */
const LONGEST_MS = 55_000;

/** `wait=30s`: how long an answer may take. `0` and a missing parameter do not wait. */
export function parseWait(text: string | undefined): ParsedWait {
  if (text === undefined || text === '0' || text === '0s') return { ok: true, ms: 0 };
  const parsed = parseDuration(text);
  if (!parsed.ok) return parsed;
  if (parsed.ms <= LONGEST_MS) return parsed;
  return { ok: false, message: `must be at most ${LONGEST_MS / 1000}s: ask again after that` };
}
