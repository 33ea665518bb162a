import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Webhook } from 'standardwebhooks';

import { parseWebhookSecrets } from '../../core/webhook-settings.js';

type Read = { ok: true; secrets: Webhook[] } | { ok: false; fault: string };

/** The signing secrets of a name. Read for each delivery, so a rotation needs no restart. */
export async function readWebhookSecrets(folder: string, name: string): Promise<Read> {
  let bytes: Buffer;
  try {
    bytes = await readFile(join(folder, name));
  } catch {
    const advice = 'add a file of this name to the folder of "secretsFolder"';
    return { ok: false, fault: `the worker cannot read a signing secret "${name}": ${advice}` };
  }
  const parsed = parseWebhookSecrets(bytes);
  if (!parsed.ok) return { ok: false, fault: `the signing secret "${name}" ${parsed.fault}` };
  return { ok: true, secrets: parsed.secrets.map((secret) => new Webhook(secret)) };
}
