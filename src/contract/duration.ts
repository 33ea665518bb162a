import { z } from 'zod';

import { parseDuration } from './parse-duration.js';

/** A duration as a text; `toMilliseconds` gives its value. */
export const durationSchema = z.string().superRefine((text, context) => {
  const parsed = parseDuration(text);
  if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message });
});

/** Of a text that has been checked; `undefined` when there is none. */
export function toMilliseconds(text: string | undefined): number | undefined {
  const parsed = parseDuration(text);
  return parsed.ok ? parsed.ms : undefined;
}
