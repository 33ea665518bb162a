import { Hono, type MiddlewareHandler } from 'hono';

import type { Explanation } from '../../client/index.js';
import { parseInput, statusDocumentSchema, type StatusDocument } from '../../contract/index.js';
import { Scope, type Caller } from '../../tokens/token-file.js';
import type { GatewayApp, GatewayContext, GatewayEnv, GatewayParts } from '../gateway-context.js';
import { authenticateReader, refuseWithoutScope } from '../middleware.js';
import { badParameters } from '../read-request.js';
import { within } from '../within.js';
import { idOf, openStream, type EventsOptions } from '../routes/events.js';
import { listPage, listQuerySchema, toFilter } from '../routes/list.js';
import { operateByName } from '../routes/operate.js';
import { findRun } from '../find-run.js';
import type { RunView } from '../status-board.js';
import type { TokenStore } from '../tokens.js';
import { answerPage, answerProblemPage, NO_ACTION, shellOf } from './answer-page.js';
import { ListPage } from './list-page.js';
import { actionOf, actionsFor, pathOfPage, type PageAction } from './page-actions.js';
import { PAGE_POLICY, SCRIPT_ASSET, STYLE_ASSET } from './page-assets.js';
import { readForm } from './page-session.js';
import { RunMain, RunPage, type RunPageModel } from './run-page.js';
import { addSignIn } from './sign-in.js';
import { ConfirmPage } from './small-pages.js';

export interface PagesOptions {
  tokens: TokenStore | undefined;
  limit: MiddlewareHandler<GatewayEnv>;
  /** Of requests in flight: of somebody who is not signed in. */
  seat: MiddlewareHandler<GatewayEnv>;
  /** The page of a run in the Temporal UI. */
  temporalUrl?: ((workflowId: string) => string) | undefined;
  events?: EventsOptions | undefined;
}

/** Pages of runs, for a person with a browser. They work without scripts too. */
export function addPages(app: GatewayApp, parts: GatewayParts, options: PagesOptions): void {
  const { tokens, limit, seat } = options;
  const pages = new Hono<GatewayEnv>();
  pages.onError(answerProblemPage);
  for (const path of ['/', '/sign-in', '/sign-out', '/runs/*']) pages.use(path, protectPage);
  addAssets(pages);
  addSignIn(pages, { tokens, seat });
  for (const path of ['/', '/runs/*']) pages.use(path, authenticateReader(tokens), limit);
  pages.get('/', (c) => c.redirect('/runs', 302));
  pages.get('/runs', (c) => answerList(parts, c));
  pages.get('/runs/:id', (c) => answerRun(parts, c, options));
  pages.get('/runs/:id/live', (c) => answerLive(parts, c, options));
  pages.get('/runs/:id/:action', (c) => answerConfirm(parts, c));
  pages.post('/runs/:id/:action', (c) => act(parts, c));
  app.route('/', pages);
}

const protectPage: MiddlewareHandler<GatewayEnv> = async (c, next) => {
  // The log shows the pattern of a path, not what the reader chose.
  c.set('route', c.req.path.startsWith('/runs') ? '/runs/{id}' : c.req.path);
  c.header('Content-Security-Policy', PAGE_POLICY);
  // A browser names the origin of a form only where it may name the page.
  c.header('Referrer-Policy', 'same-origin');
  await next();
};

const FOR_EVER = 'public, max-age=31536000, immutable';

function addAssets(pages: Hono<GatewayEnv>): void {
  for (const { path, type, text } of [STYLE_ASSET, SCRIPT_ASSET]) {
    pages.get(path, (c) => {
      c.set('route', '/assets');
      return c.body(text, 200, { 'Content-Type': type, 'Cache-Control': FOR_EVER });
    });
  }
}

/** An empty field of the filter asks for nothing. */
async function answerList(parts: GatewayParts, c: GatewayContext): Promise<Response> {
  refuseWithoutScope(c.get('caller'), Scope.read);
  const given = Object.fromEntries(Object.entries(c.req.query()).filter(([, value]) => value));
  const parsed = parseInput(listQuerySchema, given);
  if (!parsed.ok) {
    throw badParameters(parsed.faults);
  }
  const page = await listPage(parts, toFilter(parsed.value, c.get('caller')));
  return answerPage(c, <ListPage model={{ page, given }} shell={shellOf(c)} />);
}

async function answerRun(
  parts: GatewayParts,
  c: GatewayContext,
  { temporalUrl }: PagesOptions,
): Promise<Response> {
  refuseWithoutScope(c.get('caller'), Scope.read);
  const model = await readModel(parts, await findRun(parts, c), {
    caller: c.get('caller'),
    temporalUrl,
  });
  if (c.req.query('part') !== 'run') {
    return answerPage(c, <RunPage model={model} shell={shellOf(c)} />);
  }
  c.header('X-Page-Part', 'run');
  return c.html(<RunMain model={model} />);
}

/** Says that the run has changed. The script of the page then asks for its main part. */
async function answerLive(
  parts: GatewayParts,
  c: GatewayContext,
  { events }: PagesOptions,
): Promise<Response> {
  refuseWithoutScope(c.get('caller'), Scope.read);
  const view = await findRun(parts, c);
  const last = c.req.header('last-event-id');
  if (view.isEnded && last === idOf(view)) return c.body(null, 204);
  return openStream(parts, {
    c,
    view,
    last,
    options: events,
    write: async (stream, now, seen) => {
      const id = idOf(now);
      if (id !== seen) await stream.writeSSE({ event: 'changed', id, data: id });
      if (now.isEnded) await stream.writeSSE({ event: 'end', id, data: id });
      return now.document?.tag ?? seen;
    },
  });
}

async function answerConfirm(parts: GatewayParts, c: GatewayContext): Promise<Response> {
  const action = requestedAction(c);
  const view = await findRun(parts, c);
  const status = statusOf(view);
  const isOffered = actionsFor(c.get('caller'), status).some(({ name }) => name === action.name);
  // The run has gone on since the page with the button.
  if (!isOffered) return c.redirect(pathOfPage(view.workflowId), 303);
  const { workflowId } = view;
  return answerPage(
    c,
    <ConfirmPage workflowId={workflowId} status={status} action={action} shell={shellOf(c)} />,
  );
}

async function act(parts: GatewayParts, c: GatewayContext): Promise<Response> {
  const action = requestedAction(c);
  const { holdFor, reason } = await readForm(c);
  const view = await findRun(parts, c);
  const body = {
    ...(action.name === 'extend' ? { holdFor } : {}),
    ...(action.name === 'abort' && reason ? { reason } : {}),
  };
  await operateByName(parts, view, { name: action.name, body, c });
  return c.redirect(pathOfPage(view.workflowId), 303);
}

/** @throws ProblemError (403, 404) */
function requestedAction(c: GatewayContext): PageAction {
  refuseWithoutScope(c.get('caller'), Scope.operate);
  const action = actionOf(c.req.param('action') ?? '');
  if (action === undefined) throw NO_ACTION;
  return action;
}

const EXPLAIN_WITHIN_MS = 4_000;

interface Reader {
  caller: Caller;
  temporalUrl: ((workflowId: string) => string) | undefined;
}

/** What the page of a run shows. It comes although no worker runs. */
async function readModel(
  { gcore }: Pick<GatewayParts, 'gcore'>,
  view: RunView,
  { caller, temporalUrl }: Reader,
): Promise<RunPageModel> {
  const status = statusOf(view);
  const explanation = status === undefined ? await explain(gcore, view.workflowId) : undefined;
  return {
    view,
    status,
    explanation,
    actions: view.isEnded ? [] : actionsFor(caller, status),
    temporalUrl: temporalUrl?.(view.workflowId),
    now: Date.now(),
  };
}

/** The status document of a view, if a worker has given one. */
function statusOf({ document }: RunView): StatusDocument | undefined {
  if (document === undefined) return undefined;
  return statusDocumentSchema.parse(JSON.parse(document.text));
}

async function explain(
  gcore: GatewayParts['gcore'],
  workflowId: string,
): Promise<Explanation | undefined> {
  try {
    return await within(EXPLAIN_WITHIN_MS, gcore.explain(workflowId));
  } catch {
    // The page says without it that no worker answers.
    return undefined;
  }
}
