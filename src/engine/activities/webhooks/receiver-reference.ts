import { createHash } from 'node:crypto';

import type { NotifyTarget } from '../../schema/notify.js';
import type { WebhookTarget } from '../../core/webhooks.js';

/** It tells one of a few receivers from the others. So short, it does not confirm a guess of a token in the URL. */
const DIGEST_CHARACTERS = 8;

/**
 * A receiver of an account as histories name it: `https://alerts.example.com/#3f9a1c02`. The rest of its URL may be a
 * credential, and is known to the settings of the workers only. No URL of an input has a fragment.
 */
export function toReference(target: NotifyTarget): NotifyTarget {
  const { href, origin } = new URL(target.url);
  const digest = createHash('sha256').update(href).digest('hex').slice(0, DIGEST_CHARACTERS);
  return { ...target, url: `${origin}/#${digest}` };
}

/** Where a webhook goes; `undefined` when the account has this receiver no more. */
export function urlOf(
  { url, secretName }: WebhookTarget,
  receivers: readonly NotifyTarget[],
): string | undefined {
  if (!url.includes('#')) return url;
  return receivers.find(
    (receiver) => toReference(receiver).url === url && receiver.secretName === secretName,
  )?.url;
}
