import type { Hono, MiddlewareHandler } from 'hono';

import type { GatewayContext, GatewayEnv } from '../gateway-context.js';
import { isReader } from '../middleware.js';
import type { TokenStore } from '../tokens/token-store.js';
import { answerPage } from './answer-page.js';
import { readFirstForm, readForm } from './page-form.js';
import { beginSession, endSession } from './page-session.js';
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
    if (tokens !== undefined && !(await isReader(tokens, token.trim()))) {
      return answerPage(c, <SignInPage to={path} fault="This token opens nothing here." />, 401);
    }
    beginSession(c, token.trim());
    return c.redirect(path, 303);
  });
  pages.post('/sign-out', async (c: GatewayContext) => {
    await readForm(c);
    endSession(c);
    return c.redirect('/sign-in', 303);
  });
}

/** Only a page of a run: a link to the sign-in must not lead to another site. */
function pathAfter(to = ''): string {
  return /^\/runs(?:[/?][\x21-\x5b\x5d-\x7e]*)?$/.test(to) ? to : '/runs';
}
