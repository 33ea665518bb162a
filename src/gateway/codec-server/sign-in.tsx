import { raw } from 'hono/html';
import type { Hono, MiddlewareHandler } from 'hono';
import type { FC } from 'hono/jsx';

import type { GatewayContext, GatewayEnv } from '../gateway-context.js';
import { PAGE_POLICY, STYLE_ASSET } from '../pages/page-assets.js';
import { publicDocument } from '../public-document.js';
import { createSignInCheck, readFirstForm } from '../pages/page-session.js';
import { Scope } from '../../tokens/token-file.js';
import type { TokenStore } from '../tokens.js';
import { SESSION } from './authenticate-decoder.js';

interface SignInOptions {
  tokens: TokenStore | undefined;
  /** Of requests in flight. */
  seat: MiddlewareHandler<GatewayEnv>;
  uiOrigins: readonly string[];
}

const PATH = '/sign-in';

/**
 * A browser sends no token of its own to a codec server. Who signs in here gets a cookie that the browser sends along
 * from the pages of the Temporal UI, where both are of one site.
 */
export function addSignIn(app: Hono<GatewayEnv>, options: SignInOptions): void {
  const { tokens, seat } = options;
  const check = tokens && createSignInCheck(tokens, Scope.codec);
  const style = publicDocument({ 'Content-Type': STYLE_ASSET.type }, () => STYLE_ASSET.text);
  app.get(STYLE_ASSET.path, seat, (c) => {
    c.set('route', '/assets');
    return style(c);
  });
  app.use(PATH, seat, protectForm);
  app.get(PATH, (c) => answer(c, <SignInPage state={stateOf(c, tokens)} {...options} />));
  app.post(PATH, async (c) => {
    const { token = '', end } = await readFirstForm(c);
    if (end !== undefined || check === undefined) {
      SESSION.end(c);
      return c.redirect(PATH, 303);
    }
    const decoder = await check(c, token);
    if (decoder === undefined) {
      return answer(c, <SignInPage state="refused" {...options} />, 401);
    }
    SESSION.begin(c, decoder);
    return c.redirect(PATH, 303);
  });
}

const protectForm: MiddlewareHandler<GatewayEnv> = async (c, next) => {
  c.set('route', PATH);
  c.header('Content-Security-Policy', PAGE_POLICY);
  // A browser names the origin of a form only where it may name the page.
  c.header('Referrer-Policy', 'same-origin');
  await next();
};

type State = 'open' | 'signed-in' | 'signed-out' | 'refused';

function stateOf(c: GatewayContext, tokens: TokenStore | undefined): State {
  if (tokens === undefined) return 'open';
  return SESSION.text(c) === undefined ? 'signed-out' : 'signed-in';
}

async function answer(
  c: GatewayContext,
  page: ReturnType<FC>,
  status: 200 | 401 = 200,
): Promise<Response> {
  const { body, headers } = await c.html(
    <>
      {raw('<!doctype html>')}
      {page}
    </>,
  );
  return new Response(body, { status, headers });
}

const SignInPage: FC<{ state: State; uiOrigins: readonly string[] }> = ({ state, uiOrigins }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>Codec server: sign in</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href={STYLE_ASSET.path} />
    </head>
    <body>
      <main>
        <h1>Read encrypted runs in the Temporal UI</h1>
        {state === 'open' && <p>This codec server is for this machine, and needs no sign-in.</p>}
        {state === 'signed-in' && <SignedIn uiOrigins={uiOrigins} />}
        {state === 'refused' && (
          <p role="alert" class="bad">
            This token opens nothing here. It needs the scope "codec" in the token file.
          </p>
        )}
        {(state === 'signed-out' || state === 'refused') && <TokenForm />}
      </main>
    </body>
  </html>
);

const SignedIn: FC<{ uiOrigins: readonly string[] }> = ({ uiOrigins }) => (
  <>
    <p>You are signed in, for 12 hours at most. The pages of these origins may decrypt for you:</p>
    <ul>
      {uiOrigins.map((origin) => (
        <li>
          <a href={origin}>{origin}</a>
        </li>
      ))}
    </ul>
    <form method="post" action={PATH}>
      <button name="end" value="yes" type="submit">
        Sign out
      </button>
    </form>
  </>
);

const TokenForm: FC = () => (
  <form method="post" action={PATH}>
    <label for="token">Token</label>
    <input
      id="token"
      name="token"
      type="password"
      required
      autocomplete="current-password"
      aria-describedby="token-kept"
    />
    <p id="token-kept" class="soft">
      The browser keeps it for 12 hours, or until you sign out.
    </p>
    <button type="submit">Sign in</button>
  </form>
);
