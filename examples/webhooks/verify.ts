/**
 * Checks a webhook: exit code 0 when a signature is right and the time less than five minutes off, else 1.
 * The body comes from stdin as it was sent: JSON that was parsed and written again has another signature.
 */
import { env, stdin } from 'node:process';
import { text } from 'node:stream/consumers';

import { Webhook } from 'standardwebhooks';

const headers = {
  'webhook-id': env['WEBHOOK_ID'] ?? '',
  'webhook-timestamp': env['WEBHOOK_TIMESTAMP'] ?? '',
  // Two while the secret is being changed.
  'webhook-signature': env['WEBHOOK_SIGNATURE'] ?? '',
};
// An error that nothing catches ends Node with exit code 1.
new Webhook(env['WEBHOOK_SECRET'] ?? '').verify(await text(stdin), headers, { jsonParse: false });
