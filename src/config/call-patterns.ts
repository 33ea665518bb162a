import type { z } from 'zod';

import { isCallPattern } from '../contract/wire/api-calls.js';
import { plural } from '../engine/core/text.js';

/** Patterns of a comma-separated list, such as `POST /cloud/v1/volumes/*\/*`. */
export function toCallPatterns(text: string): string[] {
  return text
    .split(',')
    .map((pattern) => pattern.trim().replace(/\s+/, ' '))
    .filter((pattern) => pattern !== '');
}

/** A fault names the place of an entry only: the entry may be anything. */
export function checkCallPatterns(patterns: readonly string[], context: z.RefinementCtx): void {
  const wrong = patterns.flatMap((pattern, at) => (isCallPattern(pattern) ? [] : [at + 1]));
  if (wrong.length === 0) return;
  const message = `must be a comma-separated list such as "POST /cloud/v1/volumes/1/2, GET /cloud/v1/volumes/1/2/*", where "*" is one whole segment; ${plural(wrong.length, 'entry is', 'entries are')} not: ${wrong.join(', ')}`;
  context.addIssue({ code: 'custom', message });
}
