import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { WebhookSettings } from '../engine/core/webhook-settings.js';

/** The default port of `webhook listen`. */
const RECEIVERS = ['127.0.0.1:8787', 'localhost:8787'];

/** The signing secret of `dev`: `notify` names it, and `webhook listen` reads the file. */
const DEV_SECRET = 'dev';

/**
 * Lets runs send webhooks to `gcore-workflows webhook listen` on this machine. The secret is made at the first
 * start.
 */
export function devWebhooks(folder: string): WebhookSettings {
  const secretsFolder = resolve(folder, 'webhook-secrets');
  mkdirSync(secretsFolder, { recursive: true, mode: 0o700 });
  const file = join(secretsFolder, DEV_SECRET);
  if (!existsSync(file)) writeFileSync(file, newSecret(), { mode: 0o600 });
  const secrets = { [DEV_SECRET]: RECEIVERS };
  return { hosts: [], privateHosts: RECEIVERS, secretsFolder, secrets, notify: {} };
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}\n`;
}
