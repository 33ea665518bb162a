import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

import type { GatewayContext } from '../gateway-context.js';

/** A signed-in reader: the cookie holds the token, which only the browser and the gateways see. */
const NAME = 'gcore-workflows';
const LONGEST_SECONDS = 12 * 3_600;

/** The token of the session. It counts as long as the token file knows it. */
export function sessionToken(c: GatewayContext): string | undefined {
  return isEncrypted(c) ? getCookie(c, NAME, 'host') : getCookie(c, NAME);
}

/** The browser keeps it for at most 12 hours, sends it to no other site, and shows it to no script. */
export function beginSession(c: GatewayContext, token: string): void {
  setCookie(c, NAME, token, {
    ...attributes(c),
    httpOnly: true,
    sameSite: 'Strict',
    maxAge: LONGEST_SECONDS,
  });
}

export function endSession(c: GatewayContext): void {
  deleteCookie(c, NAME, attributes(c));
}

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
