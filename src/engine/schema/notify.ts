import { z } from 'zod';

import { WEBHOOK_EVENT_TYPES } from '../core/status.js';
import type { WebhookTarget } from '../core/webhooks.js';

const MAX_TARGETS = 5;
const MAX_URL_LENGTH = 2_048;

/** Names of signing secrets, which are files. */
const SECRET_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

const targetSchema = z.strictObject({
  url: z
    .string()
    .max(MAX_URL_LENGTH, { error: `must have at most ${MAX_URL_LENGTH} characters` })
    .superRefine(checkUrl)
    .describe('https; the worker must allow its host'),
  secretName: z
    .string()
    .regex(SECRET_NAME, {
      error: 'must be the name of a signing secret: lower-case letters, digits, ".", "_", "-"',
    })
    .describe('which signing secret of the worker signs'),
  events: z
    .array(z.enum(WEBHOOK_EVENT_TYPES))
    .min(1, { error: 'must name an event; leave it out for all' })
    .optional()
    .describe('all when left out'),
});
export type NotifyTarget = z.infer<typeof targetSchema>;

/**
 * Webhooks of a run: who is told, and about what.
 *
 * @example
 * [{ url: 'https://hooks.example.com/runs', secretName: 'orders', events: ['run.failed'] }]
 */
export const notifySchema = z
  .array(targetSchema)
  .max(MAX_TARGETS, { error: `must have at most ${MAX_TARGETS} receivers` })
  .superRefine(checkUnique);

function checkUrl(text: string, context: z.RefinementCtx): void {
  const refuse = (message: string): void => {
    context.addIssue({ code: 'custom', message });
  };
  // URL removes white space and control characters silently.
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) {
    refuse('must be an absolute https URL without white space');
    return;
  }
  const { username, password } = new URL(text);
  if (username !== '' || password !== '') {
    refuse('must not contain credentials: a receiver checks the signature');
  }
  // An empty one stays in the URL, but not in `hash`.
  if (text.includes('#')) refuse('must not have a fragment');
}

function checkUnique(targets: readonly NotifyTarget[], context: z.RefinementCtx): void {
  const urls = targets.map(({ url }) => url);
  urls.forEach((url, at) => {
    if (urls.indexOf(url) === at) return;
    context.addIssue({
      code: 'custom',
      path: [at, 'url'],
      message: 'is there twice: name all its events in one entry',
    });
  });
}

/** With the canonical URL, and with all events where none is named. */
export function toWebhookTarget({ url, secretName, events }: NotifyTarget): WebhookTarget {
  return { url: new URL(url).href, secretName, events: events ?? WEBHOOK_EVENT_TYPES };
}
