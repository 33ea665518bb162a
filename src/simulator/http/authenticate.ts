import { FIRST_KEY, type ApiKeys } from '../state/api-keys.js';
import { notAuthenticatedError, tokenNotValidError } from './cloud-error.js';

/** Checks the API key. The scheme is `apikey` in upper or lower case. No answer contains the key. */
export function authenticate(header: string | undefined, keys: ApiKeys): void {
  const [scheme, key] = partsOf(header);
  if (/^bearer$/i.test(scheme)) {
    throw tokenNotValidError('Given token not valid for any token type');
  }
  if (!/^apikey$/i.test(scheme) || key === '') throw notAuthenticatedError();
  if (keys.nameOf(key) === undefined) throw tokenNotValidError('Token is invalid or expired');
}

/** The name of the accepted key that a request has; `undefined` for the first one, which most tests have alone. */
export function keyNameOf(header: string | null, keys: ApiKeys): string | undefined {
  const name = keys.nameOf(partsOf(header)[1]);
  return name === FIRST_KEY ? undefined : name;
}

function partsOf(header: string | null | undefined): [scheme: string, key: string] {
  const [scheme = '', key = ''] = (header ?? '').trim().split(/\s+/);
  return [scheme, key];
}
