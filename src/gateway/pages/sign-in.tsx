import type { Hono, MiddlewareHandler } from 'hono';

import type { GatewayContext, GatewayEnv } from '../gateway-context.js';
import { validToken } from '../middleware.js';
import { Scope } from '../tokens/token-file.js';
import type { TokenStore } from '../tokens/token-store.js';
import { answerPage } from './answer-page.js';
import { readFirstForm, readForm } from './page-form.js';
import { READER } from './page-session.js';
import { SignInPage } from './small-pages.js';

interface SignInOptions {
  tokens: TokenStore | undefined;
  limit: MiddlewareHandler<GatewayEnv>;
}

/** Signing in by a token, and out again. */
export function addSignIn(pages: Hono<GatewayEnv>, { tokens, limit }: SignInOptions): void {
  pages.use('/sign-in', limit);
  pages.get('/sign-in', (c) => answerPage(c, <SignInPage to={pathAfter(c.req.query('to'))} />));
  pages.post('/sign-in', async (c) => {
    const { token = '', to } = await readFirstForm(c);
    const path = pathAfter(to);
    if (tokens === undefined) return c.redirect(path, 303);
    const reader = await validToken(tokens, token.trim(), Scope.read);
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
