import { readFile } from 'node:fs/promises';

import { Webhook } from 'standardwebhooks';

import { parseWebhookSecrets } from '../../../engine/core/webhook-secrets.js';
import { codeOf } from '../../output/error-text.js';

export type Secrets = { ok: true; secrets: Webhook[] } | { ok: false; fault: string };

/** The signing secrets of a file. A fault never shows what the file says. */
export async function readSecrets(file: string): Promise<Secrets> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const code = codeOf(error) ?? 'unknown error';
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    return { ok: false, fault: `${reason}: name the file with the secret that the worker has` };
  }
  const parsed = parseWebhookSecrets(bytes);
  if (!parsed.ok) return parsed;
  return { ok: true, secrets: parsed.secrets.map((secret) => new Webhook(secret)) };
}
