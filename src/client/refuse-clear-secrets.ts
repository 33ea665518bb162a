import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';

import { clearSecretFaults, isInClear, type ClearSecrets } from '../contract/clear-secrets.js';
import type { Fault } from '../contract/failures.js';
import type { Operation } from '../contract/names.js';

const RULE =
  'would stand in clear in the history of the run: name a secret of the worker, { "$secret": "name" }, or encrypt the payloads, or allow it (GCORE_CLEAR_SECRETS=allow; in a program "clearSecrets")';

/** The secrets of an input that a client may not send. */
export function refusedSecrets(
  clearSecrets: ClearSecrets,
  operation: Operation,
  input: unknown,
): Fault[] {
  return clearSecrets === 'allow' ? [] : clearSecretFaults(operation, input, RULE);
}

/** Whether the client may send secrets in clear now. */
export type ClearSecretsNow = () => Promise<ClearSecrets>;

/**
 * A client may send secrets in clear when it encrypts what it sends. A codec may as well compress only, or
 * have lost its key, so it is asked for a payload each time.
 */
export function clearSecretsOf(
  { options }: Pick<Client, 'options'>,
  given: ClearSecrets | undefined,
): ClearSecretsNow {
  return async () => {
    if (given !== undefined) return given;
    let payloads = [defaultPayloadConverter.toPayload('')];
    for (const codec of options.loadedDataConverter.payloadCodecs) {
      payloads = await codec.encode(payloads);
    }
    return payloads.some(isInClear) ? 'refuse' : 'allow';
  };
}
