import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';

import type { GatewayContext } from '../gateway-context.js';
import { answerProblem } from '../middleware.js';
import { ProblemError, placeOf, type Problem } from '../problem.js';
import { toProblem, UNEXPECTED } from '../to-problem.js';
import { PAGE_POLICY } from './page-assets.js';
import type { Shell } from './page-layout.js';
import { formSecret, READER } from './page-session.js';
import { AgainPage, ProblemPage } from './small-pages.js';

type Page = ReturnType<FC>;

/** A whole page. */
export async function answerPage(c: GatewayContext, page: Page, status = 200): Promise<Response> {
  const { body, headers } = await c.html(
    <>
      {raw('<!doctype html>')}
      {page}
    </>,
  );
  return new Response(body, { status, headers });
}

/** What every page of this reader needs. */
export function shellOf(c: GatewayContext): Shell {
  const caller = READER.text(c) === undefined ? undefined : c.get('caller').name;
  return { caller, secret: formSecret(c) };
}

/** Any error, as a page. Without a session it leads to the sign-in. */
export async function answerProblemPage(error: Error, c: GatewayContext): Promise<Response> {
  const problem = toProblem(error);
  if (problem === UNEXPECTED) c.set('unexpected', placeOf(error));
  if (problem.status === 401) return answerUnknown(c);
  // The answer of a program has what the log needs, and its headers.
  const { headers } = answerProblem(c, problem);
  for (const [name, value] of headers) if (name !== 'content-type') c.header(name, value);
  const requestId = c.get('requestId');
  const page = (
    <ProblemPage problem={forPerson(problem)} requestId={requestId} shell={shellOf(c)} />
  );
  return answerPage(c, page, problem.status);
}

/** Some advice is for programs that call the API. */
const ADVICE: Partial<Record<string, string>> = {
  RunNotFound:
    'Check the id. The run may have ended so long ago that Temporal has deleted it, or be one that your token may not see.',
  NoSuchPath: 'Begin at the list of the runs.',
  BadRequest: 'Go back and correct it.',
  NoReport: 'Open the page of the run: it shows its result.',
  Forbidden: 'Ask for a token that allows it, sign out, and sign in with that.',
  RateLimited: 'Wait a moment, then try again.',
};

function forPerson(problem: Problem): Problem {
  return { ...problem, advice: ADVICE[problem.code] ?? problem.advice };
}

/** For a browser that asks for a page that nobody has. Whoever asks learns nothing of any run. */
export function answerNoPage(c: GatewayContext): Promise<Response> {
  c.header('Content-Security-Policy', PAGE_POLICY);
  return answerProblemPage(NO_PAGE, c);
}

/** Browsers ask for pages in these words; programs take anything, or JSON. */
export function wantsPage(c: GatewayContext): boolean {
  const isPath = !c.req.path.startsWith('/v1/');
  return isPath && (c.req.header('accept') ?? '').includes('text/html');
}

/**
 * A strict cookie does not come along from another site, such as the Temporal UI: the page loads itself once more. From
 * its own site it then has the cookie, or the reader signs in.
 */
async function answerUnknown(c: GatewayContext): Promise<Response> {
  if (c.req.header('sec-fetch-site') === 'cross-site' && c.req.method === 'GET') {
    return answerPage(c, <AgainPage />);
  }
  const { pathname, search } = new URL(c.req.url);
  const to = c.req.method === 'GET' ? `${pathname}${search}` : '/runs';
  return c.redirect(`/sign-in?${new URLSearchParams({ to }).toString()}`, 303);
}

const NO_ACTION_PROBLEM: Problem = {
  status: 404,
  code: 'NoSuchPath',
  title: 'There is no such page',
  detail: 'A run has no page of this name.',
  advice: 'Open the page of the run and use its buttons.',
};

export const NO_ACTION = new ProblemError(NO_ACTION_PROBLEM);

export const NO_PAGE = new ProblemError({
  status: 404,
  code: 'NoSuchPath',
  title: 'There is no such page',
  detail: 'The gateway has no page at this address.',
  advice: 'Begin at the list of the runs.',
});
