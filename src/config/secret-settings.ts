import type { ClearSecrets } from '../contract/clear-secrets.js';
import { readClearSecrets } from './clear-secrets.js';
import type { Environment } from './environment.js';
import { isSecretVariable, readSecrets, SENDABLE, type SecretsConfig } from './secrets.js';

export interface SecretSettings {
  /** Where the secrets are that inputs name. */
  secrets: SecretsConfig;
  /** Whether inputs may hold secrets in clear, where that is set. */
  clearSecrets: ClearSecrets | undefined;
}

/** Secrets of the worker itself, which no input may name. */
interface OwnSecrets {
  keys: readonly { keyFile?: string | undefined; keyVariable?: string | undefined }[];
  webhooks: { secretsFolder: string } | undefined;
}

export function readSecretSettings(
  given: Environment,
  { keys, webhooks }: OwnSecrets,
  faults: string[],
): SecretSettings {
  const apart = [...keys.map(({ keyFile }) => keyFile), webhooks?.secretsFolder];
  const shared = keys.flatMap(({ keyVariable = '' }) =>
    isSecretVariable(keyVariable) ? [keyVariable] : [],
  );
  faults.push(...shared.map((name) => `${name}: must not hold an API key: ${SENDABLE}`));
  return {
    secrets: readSecrets(given, apart, faults),
    clearSecrets: readClearSecrets(given, faults),
  };
}
