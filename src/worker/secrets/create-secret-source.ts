import type { SecretSource } from '../../activities/index.js';
import type { SecretsConfig } from '../../config/secrets.js';
import { createAwsSecrets } from './aws-secrets.js';
import { createEnvironmentSecrets } from './environment-secrets.js';
import { createFileSecrets } from './file-secrets.js';

/** The place that the configuration chooses. */
export function createSecretSource(config: SecretsConfig): SecretSource {
  switch (config.kind) {
    case 'files':
      return createFileSecrets(config.folder);
    case 'environment':
      return createEnvironmentSecrets(config.values);
    case 'aws':
      return createAwsSecrets(config);
  }
}
