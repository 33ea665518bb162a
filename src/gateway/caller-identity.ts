import type { Caller } from '../tokens/token-file.js';

/** How runs name who called: by the token that the gateway has checked, never by what the caller says. */
export function identityOf({ name, isLocal }: Caller): string {
  return isLocal === true ? 'local gateway' : `gateway:${name}`;
}
