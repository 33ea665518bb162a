import { describe, expect, it } from '@jest/globals';
import { Hono } from 'hono';

import type { GatewayContext, GatewayEnv } from '../../../src/gateway/gateway-context.js';
import { createSession, type Session } from '../../../src/gateway/pages/page-session.js';
import type { StoredToken } from '../../../src/tokens/token-file.js';
import { storedToken } from '../../support/gateway/gateway-world.js';
import { until } from '../../support/timing/until.js';

const READER = createSession('gcore-workflows');
const ada = storedToken('secret-1', { name: 'ada.l', scopes: ['read'] });
const bob = storedToken('secret-2', { name: 'bob', scopes: ['read'] });

/** Does something in a request with this cookie, at a server that browsers reach here. */
async function inRequest(
  act: (c: GatewayContext) => void,
  { cookie, origin = 'http://localhost' }: { cookie?: string; origin?: string } = {},
): Promise<Response> {
  const app = new Hono<GatewayEnv>();
  app.get('/', (c) => {
    c.set('origin', origin);
    act(c);
    return c.text('');
  });
  return app.request('/', cookie === undefined ? {} : { headers: { Cookie: cookie } });
}

/** The cookie of a sign-in. */
async function signIn(token: StoredToken, session = READER, origin?: string): Promise<string> {
  const answer = await inRequest(
    (c) => {
      session.begin(c, token);
    },
    { ...(origin !== undefined && { origin }) },
  );
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function whose(
  cookie: string,
  { session = READER, tokens = [ada, bob] }: { session?: Session; tokens?: StoredToken[] } = {},
): Promise<string | undefined> {
  let found: StoredToken | undefined;
  await inRequest(
    (c) => {
      found = session.find(c, tokens);
    },
    { cookie },
  );
  return found?.name;
}

describe('the cookie of a session', () => {
  it('names its token at every gateway that has it, and shows nothing of its text', async () => {
    const cookie = await signIn(ada);

    expect(await whose(cookie)).toBe('ada.l');
    expect(cookie).not.toContain('secret-1');
  });

  it('ends with the token, also when another one has its name', async () => {
    const cookie = await signIn(ada);
    const namesake = storedToken('secret-3', { name: 'ada.l', scopes: ['read'] });

    expect(await whose(cookie, { tokens: [bob] })).toBeUndefined();
    expect(await whose(cookie, { tokens: [namesake, bob] })).toBeUndefined();
  });

  it('ends at its time, whatever the browser does', async () => {
    const cookie = await signIn({ ...ada, expiresAt: Date.now() + 2_000 });

    await until('it has ended', async () => (await whose(cookie)) === undefined);

    expect(await whose(await signIn(ada))).toBe('ada.l');
  });

  it('is worth nothing at a server of another kind', async () => {
    const codec = createSession('gcore-workflows-codec');
    const cookie = await signIn(ada, codec);

    expect(await whose(cookie, { session: codec })).toBe('ada.l');
    expect(await whose(cookie.replace('-codec=', '='))).toBeUndefined();
  });

  it.each<[string, (cookie: string) => string]>([
    ['another name', (cookie) => cookie.replace('ada.l', 'bob')],
    ['more time', (cookie) => cookie.replace(/\.(\d+)\./, (_, at) => `.${Number(at) + 9}.`)],
    ['another nonce', (cookie) => cookie.replace(/\.[\w-]{22}\./, `.${'A'.repeat(22)}.`)],
    ['no proof', (cookie) => cookie.slice(0, -43) + 'A'.repeat(43)],
    ['a token', () => 'gcore-workflows=secret-1'],
  ])('with %s counts no more', async (_, change) => {
    expect(await whose(change(await signIn(ada)))).toBeUndefined();
  });

  it('goes over TLS only where browsers reach the server by TLS', async () => {
    expect(await signIn(ada, READER, 'https://runs.example.test')).toMatch(/^__Host-/);
    expect(await signIn(ada)).not.toMatch(/^__Host-/);
  });
});
