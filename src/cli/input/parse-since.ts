import { InvalidArgumentError } from 'commander';

import { toMilliseconds } from '../../engine/schema/duration.js';

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/;

/** `--since 2h`, `--since 2026-05-04` or `--since 2026-05-04T03:00Z` */
export function parseSince(text: string, now: number = Date.now()): Date {
  const ago = toMilliseconds(text);
  const time = ago === undefined && DATE.test(text) ? Date.parse(text) : now - (ago ?? Number.NaN);
  if (Number.isFinite(time)) return new Date(time);
  throw new InvalidArgumentError(
    'It must be a time span such as 2h or "3 days", or a time in UTC such as 2026-05-04 or 2026-05-04T03:00Z.',
  );
}
