import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { SecretsConfig } from '../config/secrets.js';

/** Where the worker of a local stack looks for secrets: like one in production, so that inputs work in both. */
export function devSecrets({
  folder: own,
  secretsFolder = own && join(own, 'secrets'),
}: {
  folder?: string;
  secretsFolder?: string | undefined;
}): SecretsConfig {
  if (secretsFolder === undefined) return { kind: 'environment', values: {} };
  const folder = resolve(secretsFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return { kind: 'files', folder };
}
