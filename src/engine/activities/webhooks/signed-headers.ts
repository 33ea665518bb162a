import type { Webhook } from 'standardwebhooks';

interface Signed {
  id: string;
  sentAt: Date;
  body: string;
}

/** The headers of Standard Webhooks. While a secret is being changed there are two, and a signature by each. */
export function signedHeaders(
  secrets: readonly Webhook[],
  { id, sentAt, body }: Signed,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => secret.sign(id, sentAt, body)).join(' '),
  };
}
