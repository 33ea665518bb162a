import { z } from 'zod';

import { parseDuration } from '../core/parse-duration.js';

/** A duration as text; `toMilliseconds` converts it. */
export const durationSchema = z.string().superRefine((text, context) => {
  const parsed = parseDuration(text);
  if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message });
});

/** Converts a text that `durationSchema` has accepted; `undefined` stays `undefined`. */
export function toMilliseconds(text: string | undefined): number | undefined {
  const parsed = parseDuration(text);
  return parsed.ok ? parsed.ms : undefined;
}
