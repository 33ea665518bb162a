import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

import type { GatewayContext } from '../gateway-context.js';

const LONGEST_SECONDS = 12 * 3_600;

/** A signed-in reader: the cookie holds the token, which only the browser and the servers of its host see. */
export interface Session {
  /** The token of the session. It counts as long as the token file knows it. */
  token: (c: GatewayContext) => string | undefined;
  begin: (c: GatewayContext, token: string) => void;
  end: (c: GatewayContext) => void;
}

/** @param name of the cookie. All ports of a host share their cookies, so each server has a name of its own. */
export function createSession(name: string): Session {
  return {
    token: (c) => (isEncrypted(c) ? getCookie(c, name, 'host') : getCookie(c, name)),

    // The browser keeps it for at most 12 hours, sends it to no other site, and shows it to no script.
    begin(c, token) {
      const cookie = { ...attributes(c), httpOnly: true, sameSite: 'Strict' } as const;
      setCookie(c, name, token, { ...cookie, maxAge: LONGEST_SECONDS });
    },

    end(c) {
      deleteCookie(c, name, attributes(c));
    },
  };
}

export const {
  token: sessionToken,
  begin: beginSession,
  end: endSession,
} = createSession('gcore-workflows');

function attributes(c: GatewayContext) {
  return isEncrypted(c)
    ? ({ path: '/', secure: true, prefix: 'host' } as const)
    : ({ path: '/' } as const);
}

/** TLS ends at a proxy before the gateway. A caller that forges the header changes its own cookie only. */
function isEncrypted(c: GatewayContext): boolean {
  return c.req.header('x-forwarded-proto') === 'https' || new URL(c.req.url).protocol === 'https:';
}

/** Without tokens everybody on this machine may act, but no page of another site knows this. */
const LOCAL_SECRET = randomBytes(32).toString('base64url');

/** Stands in each form: a page of another site cannot know it. */
export function formSecret(c: GatewayContext): string {
  return createHash('sha256')
    .update(`form ${sessionToken(c) ?? LOCAL_SECRET}`)
    .digest('base64url');
}

export function isFormSecret(c: GatewayContext, given: string): boolean {
  const [one, other] = [formSecret(c), given].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
