/**
 * A secret by its name. It stands where a secret may stand in an input; the worker puts the value in just
 * before it sends the call, so no history holds it.
 *
 * @example
 * { $secret: 'web-admin' }
 */
export interface SecretRef {
  /** Name of the secret, as the worker knows it. */
  $secret: string;
  /** A field of a secret that is a JSON object. */
  key?: string | undefined;
}

/** Whether the value stands for a secret. Its name may still be wrong. */
export function isSecretRef(value: unknown): value is SecretRef {
  return value instanceof Object && '$secret' in value && typeof value.$secret === 'string';
}

/** Whether a secret is named anywhere in the value. */
export function hasSecretRef(value: unknown): boolean {
  if (!(value instanceof Object)) return false;
  return isSecretRef(value) || Object.values(value).some(hasSecretRef);
}

/** Where a secret is named. */
export interface SecretPlace {
  /** Such as `instance.password`. */
  path: string;
  ref: SecretRef;
}

/** All places of a value where a secret is named. `at`: the path of the value itself. */
export function secretPlaces(value: unknown, at = ''): SecretPlace[] {
  if (!(value instanceof Object)) return [];
  if (isSecretRef(value)) return [{ path: at, ref: value }];
  const step = (name: string): string => {
    if (Array.isArray(value)) return `${at}[${name}]`;
    return at === '' ? name : `${at}.${name}`;
  };
  return Object.entries(value).flatMap(([name, inner]) => secretPlaces(inner, step(name)));
}

/** For messages: `the secret "web-admin" (key "password")`. */
export function describeSecret({ $secret: name, key }: SecretRef): string {
  return `the secret "${name}"${key === undefined ? '' : ` (key "${key}")`}`;
}
