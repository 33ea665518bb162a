import { performance } from 'node:perf_hooks';

import type { FoundSecret, SecretSource } from '../../activities/index.js';
import { toSecretText } from './to-secret-text.js';

const PREFIX = 'GCORE_SECRET_';

/** Secrets in variables: `GCORE_SECRET_WEB_ADMIN` is the secret `web-admin`. They change with the process only. */
export function createEnvironmentSecrets(values: Readonly<Record<string, string>>): SecretSource {
  return {
    read(name): Promise<FoundSecret> {
      const variable = `${PREFIX}${name.toUpperCase().replaceAll(/[.-]/g, '_')}`;
      const value = Object.hasOwn(values, variable) ? values[variable] : undefined;
      const advice = `Set ${variable} for the worker and restart it, or keep secrets in files (GCORE_SECRETS_DIR).`;
      if (value === undefined) return Promise.resolve({ is: 'missing', advice });
      const text = toSecretText(Buffer.from(value));
      if (typeof text !== 'string') return Promise.resolve(text);
      const since = () => Promise.resolve(performance.timeOrigin);
      return Promise.resolve({ is: 'found', text, since });
    },
  };
}
