import type * as Sdk from '@aws-sdk/client-secrets-manager';

import type { FoundSecret, SecretSource } from '../../activities/index.js';
import { toSecretText } from './to-secret-text.js';

const ANSWER_WITHIN_MS = 5_000;
const CONNECT_WITHIN_MS = 2_000;

const CHECK_ACCESS =
  'Check the AWS region and credentials of the worker (AWS_REGION, its role), and that it may secretsmanager:GetSecretValue (and kms:Decrypt, where the secret has its own key).';

/** What says that a worker cannot read a secret before a person changes something. */
const REFUSALS: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'CredentialsProviderError',
  'DecryptionFailure',
  'ExpiredTokenException',
  'InvalidSignatureException',
  'UnrecognizedClientException',
]);

interface AwsSecretsOptions {
  prefix: string;
  /** Instead of what AWS's own variables and files say. */
  client?: Sdk.SecretsManagerClientConfig;
}

/**
 * Secrets of AWS Secrets Manager, with the region and the credentials that AWS's own variables, files and
 * roles give. `prefix` stands before each name, so that an input can name no other secret of the account.
 * The library is loaded at the first read.
 */
export function createAwsSecrets({ prefix, client: own = {} }: AwsSecretsOptions): SecretSource {
  let opened: Promise<{ sdk: typeof Sdk; client: Sdk.SecretsManagerClient }> | undefined;
  const openOnce = async (): Promise<{ sdk: typeof Sdk; client: Sdk.SecretsManagerClient }> => {
    opened ??= openSdk(own);
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
  return {
    async read(name, signal): Promise<FoundSecret> {
      const SecretId = `${prefix}${name}`;
      const create = `Create the secret "${SecretId}" in AWS Secrets Manager.`;
      try {
        const { sdk, client } = await openOnce();
        const command = new sdk.GetSecretValueCommand({ SecretId });
        const { SecretString: value } = await client.send(command, { abortSignal: signal });
        if (value === undefined) return { is: 'unfit', why: 'is no text: AWS keeps it as binary' };
        const text = toSecretText(Buffer.from(value));
        if (typeof text !== 'string') return text;
        return { is: 'found', text, since: () => lastChange({ sdk, client }, SecretId) };
      } catch (error) {
        return toFound(error, create);
      }
    },
  };
}

async function openSdk(
  own: Sdk.SecretsManagerClientConfig,
): Promise<{ sdk: typeof Sdk; client: Sdk.SecretsManagerClient }> {
  const sdk = await import('@aws-sdk/client-secrets-manager');
  const requestHandler = {
    requestTimeout: ANSWER_WITHIN_MS,
    connectionTimeout: CONNECT_WITHIN_MS,
  };
  return { sdk, client: new sdk.SecretsManagerClient({ requestHandler, ...own }) };
}

/** The date of a version is not enough: an older one may become the current one again. */
async function lastChange(
  { sdk, client }: { sdk: typeof Sdk; client: Sdk.SecretsManagerClient },
  SecretId: string,
): Promise<number | undefined> {
  try {
    const described = await client.send(new sdk.DescribeSecretCommand({ SecretId }));
    return described.LastChangedDate?.getTime();
  } catch {
    return undefined;
  }
}

/** The messages of AWS name accounts and roles, so only the name of the error is passed on. */
function toFound(error: unknown, create: string): FoundSecret {
  const { name, message } = error instanceof Error ? error : { name: 'unknown', message: '' };
  if (name === 'ResourceNotFoundException') return { is: 'missing', advice: create };
  if (name === 'InvalidRequestException') {
    const advice = `Restore it, or create it again. ${create}`;
    return { is: 'unreadable', why: 'is marked for deletion', advice };
  }
  if (message.startsWith('Region is missing')) {
    return { is: 'unreadable', why: 'cannot be read (no AWS region)', advice: CHECK_ACCESS };
  }
  return REFUSALS.has(name)
    ? { is: 'unreadable', why: `cannot be read (${name})`, advice: CHECK_ACCESS }
    : { is: 'away', why: name };
}
