import type { Hono, MiddlewareHandler } from 'hono';

import type { GatewayContext, GatewayEnv } from '../gateway-context.js';
import { Scope } from '../../tokens/token-file.js';
import type { TokenStore } from '../tokens.js';
import { answerPage } from './answer-page.js';
import { createSignInCheck, readFirstForm, readForm, READER } from './page-session.js';
import { SignInPage } from './small-pages.js';

interface SignInOptions {
  tokens: TokenStore | undefined;
  /** Of requests in flight. */
  seat: MiddlewareHandler<GatewayEnv>;
}

/** Signing in by a token, and out again. */
export function addSignIn(pages: Hono<GatewayEnv>, { tokens, seat }: SignInOptions): void {
  const check = tokens && createSignInCheck(tokens, Scope.read);
  for (const path of ['/sign-in', '/sign-out']) pages.use(path, seat);
  pages.get('/sign-in', (c) => answerPage(c, <SignInPage to={pathAfter(c.req.query('to'))} />));
  pages.post('/sign-in', async (c) => {
    const { token = '', to } = await readFirstForm(c);
    const path = pathAfter(to);
    if (check === undefined) return c.redirect(path, 303);
    const reader = await check(c, token);
    if (reader === undefined) {
      return answerPage(c, <SignInPage to={path} fault="This token opens nothing here." />, 401);
    }
    READER.begin(c, reader);
    return c.redirect(path, 303);
  });
  pages.post('/sign-out', async (c: GatewayContext) => {
    await readForm(c);
    READER.end(c);
    return c.redirect('/sign-in', 303);
  });
}

/** Only a page of a run: a link to the sign-in must not lead to another site. */
function pathAfter(to = ''): string {
  return /^\/runs(?:[/?][\x21-\x5b\x5d-\x7e]*)?$/.test(to) ? to : '/runs';
}
