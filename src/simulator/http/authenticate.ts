import { notAuthenticatedError, tokenNotValidError } from './cloud-error.js';

/** Checks the API key. The scheme is `apikey` in upper or lower case. No answer contains the key. */
export function authenticate(header: string | undefined, apiKey: string): void {
  const [scheme = '', key = ''] = (header ?? '').trim().split(/\s+/);
  if (/^bearer$/i.test(scheme)) {
    throw tokenNotValidError('Given token not valid for any token type');
  }
  if (!/^apikey$/i.test(scheme) || key === '') throw notAuthenticatedError();
  if (key !== apiKey) throw tokenNotValidError('Token is invalid or expired');
}
