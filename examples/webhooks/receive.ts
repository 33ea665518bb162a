/**
 * Receives webhooks of runs by POST /hooks, with hono. Usage: WEBHOOK_SECRET=whsec_… PORT=8080
 * Express needs `express.raw({ type: 'application/json' })` before the handler: the signature is over the body as it came.
 */
import { env, stderr, stdout } from 'node:process';

import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const key = env['WEBHOOK_SECRET'] ?? '';
if (key.replace('whsec_', '') === '')
  throw new Error('WEBHOOK_SECRET is empty: then everybody could sign');
const secret = new Webhook(key);
/** A repeat has the same id. Several processes share them in a database. */
const seen = new Set<string>();

const app = new Hono();
app.post('/hooks', async (c) => {
  const body = await c.req.text();
  try {
    secret.verify(body, c.req.header(), { jsonParse: false });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return c.text(error.message, 401);
  }
  const id = c.req.header('webhook-id') ?? '';
  if (!seen.has(id)) {
    stdout.write(`${body}\n`); // what your service does with it
    seen.add(id); // afterwards: when it fails, the webhook comes again
  }
  return c.body(null, 204);
});

serve(
  { fetch: app.fetch, hostname: '127.0.0.1', port: Number(env['PORT'] ?? 8080) },
  ({ port }) => {
    stderr.write(`Listening at http://127.0.0.1:${port}/hooks\n`);
  },
);
