import { SECRET_NAME } from '../../contract/secret-ref-schema.js';
import { isSecretRef, type SecretRef } from '../../contract/wire/secret-ref.js';
import { isSecretField } from '../../contract/wire/secret-fields.js';
import { HIDDEN } from '../../contract/wire/secret-texts.js';
import { withoutSecrets } from '../../observe/redact.js';

/** No input of the contract is deeper. One from another client may be. */
const MAX_DEPTH = 32;
const DEEPER = '(deeper values are left out)';

/**
 * An input for a reader who may see runs, but not their secrets: without the values of fields whose names say that they
 * hold one, without objects whose content is the caller's own, without masked values of a KV store, and without what
 * looks like a credential in any text. The name of a secret stays.
 */
export function maskInput(input: unknown, depth = 0): unknown {
  if (typeof input === 'string') return withoutSecrets(input);
  if (typeof input !== 'object' || input === null) return input;
  if (isSecretRef(input)) return onlyName(input);
  if (depth === MAX_DEPTH) return DEEPER;
  if (Array.isArray(input)) return input.map((item) => maskInput(item, depth + 1));
  const isMasked = 'encoding' in input && input.encoding === 'masked';
  return Object.fromEntries(
    Object.entries(input).map(([name, value]: [string, unknown]) => {
      const isHidden = holdsSecret(name, value) || (isMasked && name === 'value');
      return [name, isHidden ? HIDDEN : maskInput(value, depth + 1)];
    }),
  );
}

/** Whatever else a client has put there. */
function onlyName({ $secret: name, key }: SecretRef): unknown {
  if (!SECRET_NAME.test(name)) return HIDDEN;
  return { $secret: name, ...(key !== undefined && { key: withoutSecrets(key) }) };
}

/** Lines such as `Authorization: …`. */
const HEADERS = /headers?$/i;
/** What these hold is the caller's own, down to the names: an application may take its password there. */
const FREE = new Set(['tags', 'configuration', 'metadata']);

/** A secret by its name is no secret, and neither is the name of a signing secret. */
function holdsSecret(name: string, value: unknown): boolean {
  const isNamed = isSecretRef(value) || name === 'secretName';
  const mayHold = isSecretField(name) || HEADERS.test(name) || FREE.has(name);
  return mayHold && !isNamed && value !== null;
}
