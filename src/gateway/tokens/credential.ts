import type { GatewayContext } from '../gateway-context.js';
import { bearerToken, findToken } from './find-token.js';
import type { StoredToken } from '../../tokens/token-file.js';

/** How a request says whose it is. */
export interface Credential {
  isGiven: (c: GatewayContext) => boolean;
  /** The token that the request proves to have, among the tokens as they are now. It may have expired. */
  find: (c: GatewayContext, tokens: readonly StoredToken[]) => StoredToken | undefined;
}

export const BEARER = byText((c) => bearerToken(c.req.header('authorization')));

/** For a caller that can send no header. */
export const IN_PATH = byText((c) => c.req.param('token'));

function byText(tokenOf: (c: GatewayContext) => string | undefined): Credential {
  return {
    isGiven: (c) => tokenOf(c) !== undefined,
    find(c, tokens) {
      const token = tokenOf(c);
      return token === undefined ? undefined : findToken(tokens, token);
    },
  };
}
