import { Hono, type MiddlewareHandler } from 'hono';

import { parseInput } from '../../contract/index.js';
import { Scope } from '../../tokens/token-file.js';
import type { GatewayApp, GatewayContext, GatewayEnv, GatewayParts } from '../gateway-context.js';
import { authenticateReader, refuseWithoutScope } from '../middleware.js';
import { publicDocument } from '../public-document.js';
import { badParameters, namedRunSchema } from '../read-request.js';
import { audited } from '../audit.js';
import { idOf, openStream, type EventsOptions } from '../routes/events.js';
import { listQuerySchema, toFilter } from '../routes/list.js';
import { operateByName } from '../routes/operate.js';
import { findRun, findRunNow } from '../find-run.js';
import { retry } from '../routes/retry.js';
import type { TokenStore } from '../tokens.js';
import { answerPage, answerProblemPage, NO_ACTION, NO_PAGE, shellOf } from './answer-page.js';
import { createReadList, type ReadList } from './list-model.js';
import { ListMain, ListPage } from './list-page.js';
import { actionOf, actionsFor, pathOfPage, type PageAction } from './page-actions.js';
import { PAGE_POLICY, SCRIPT_ASSET, STYLE_ASSET } from './page-assets.js';
import { readForm } from './page-session.js';
import { addRunFiles } from './run-files.js';
import { createReadModel, statusOf, type ReadModel, type RunPageModel } from './run-model.js';
import { RunMain, RunPage } from './run-page.js';
import { readRunbook, RunbookPage } from './runbooks.js';
import { addSignIn } from './sign-in.js';
import { ConfirmPage } from './small-pages.js';
import { asksForWhole, maySeeWhole, readWhole } from './whole-input.js';

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
  for (const path of ['/', '/sign-in', '/sign-out', '/runs/*', '/runbooks/*']) {
    pages.use(path, protectPage);
  }
  addAssets(pages);
  addSignIn(pages, { tokens, seat });
  for (const path of ['/', '/runs/*', '/runbooks/*']) {
    pages.use(path, authenticateReader(tokens), limit);
  }
  const readList = createReadList(parts);
  const readModel = createReadModel(parts);
  pages.get('/', (c) => c.redirect('/runs', 302));
  pages.get('/runs', (c) => answerList(readList, c));
  pages.get('/runbooks/:name', answerRunbook);
  pages.get('/runs/:id', (c) => answerRun(parts, c, { ...options, readModel }));
  pages.get('/runs/:id/live', (c) => answerLive(parts, c, options));
  addRunFiles(pages, parts);
  pages.get('/runs/:id/:action', (c) => answerConfirm(parts, c));
  pages.post('/runs/:id/:action', (c) => act(parts, c));
  app.route('/', pages);
}

const PATTERNS = [
  ['/runs', '/runs/{id}'],
  ['/runbooks', '/runbooks/{name}'],
] as const;

const protectPage: MiddlewareHandler<GatewayEnv> = async (c, next) => {
  // The log shows the pattern of a path, not what the reader chose.
  c.set('route', PATTERNS.find(([start]) => c.req.path.startsWith(start))?.[1] ?? c.req.path);
  c.header('Content-Security-Policy', PAGE_POLICY);
  // A browser names the origin of a form only where it may name the page.
  c.header('Referrer-Policy', 'same-origin');
  await next();
};

const FOR_EVER = 'public, max-age=31536000, immutable';

function addAssets(pages: Hono<GatewayEnv>): void {
  for (const { path, type, text } of [STYLE_ASSET, SCRIPT_ASSET]) {
    const asset = publicDocument({ 'Content-Type': type, 'Cache-Control': FOR_EVER }, () => text);
    pages.get(path, (c) => {
      c.set('route', '/assets');
      return asset(c);
    });
  }
}

/** Who wants more asks for the next page: a thousand rows would cost a third of a second of the processor. */
const MOST_ROWS = 50;

/** An empty field of the filter asks for nothing. */
async function answerList(readList: ReadList, c: GatewayContext): Promise<Response> {
  refuseWithoutScope(c.get('caller'), Scope.read);
  const { part, ...query } = c.req.query();
  const fields = Object.entries(query).map(([name, value]) => [name, value.trim()] as const);
  const given = Object.fromEntries(fields.filter(([, value]) => value !== ''));
  const parsed = parseInput(listQuerySchema, given);
  if (!parsed.ok) {
    throw badParameters(parsed.faults);
  }
  const caller = c.get('caller');
  const { limit = MOST_ROWS, ...filter } = toFilter(parsed.value, caller);
  const asked = { given, caller, makeLarge: c.get('makeLarge') };
  const model = await readList({ ...filter, limit: Math.min(limit, MOST_ROWS) }, asked);
  if (part !== 'list') return answerPage(c, <ListPage model={model} shell={shellOf(c)} />);
  c.header('X-Page-Part', 'list');
  return c.html(<ListMain model={model} />);
}

function answerRunbook(c: GatewayContext): Promise<Response> {
  refuseWithoutScope(c.get('caller'), Scope.read);
  const name = c.req.param('name') ?? '';
  const text = readRunbook(name);
  if (text === undefined) throw NO_PAGE;
  return answerPage(c, <RunbookPage name={name} text={text} shell={shellOf(c)} />);
}

async function answerRun(
  parts: GatewayParts,
  c: GatewayContext,
  { temporalUrl, readModel }: PagesOptions & { readModel: ReadModel },
): Promise<Response> {
  refuseWithoutScope(c.get('caller'), Scope.read);
  const view = await findRun(parts, c);
  const reader = { caller: c.get('caller'), temporalUrl, makeLarge: c.get('makeLarge') };
  const model = await readModel(view, reader);
  const isPart = c.req.query('part') === 'run';
  const isWhole = asksForWhole(c);
  if (isWhole) await readWhole(parts, { c, ...view }, () => Promise.resolve());
  await noteReads(parts, c, { model, hasInput: !isPart && !isWhole });
  const whole = { isShown: isWhole, isOffered: maySeeWhole(c) };
  if (!isPart) return answerPage(c, <RunPage model={model} whole={whole} shell={shellOf(c)} />);
  c.header('X-Page-Part', 'run');
  return c.html(<RunMain model={model} />);
}

/** A page shows what runs hold, as the routes of the API do. */
async function noteReads(
  { audit }: GatewayParts,
  c: GatewayContext,
  { model: { view, history }, hasInput }: { model: RunPageModel; hasInput: boolean },
): Promise<void> {
  const { workflowId } = view;
  const shown = [
    ...(history?.result === undefined ? [] : ['result']),
    ...(history?.input === undefined || !hasInput ? [] : ['input']),
  ];
  for (const action of shown)
    await audited(audit, { c, action, workflowId }, () => Promise.resolve());
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
  const offered = actionsFor(c.get('caller'), { view, status });
  const isOffered = offered.some(({ name }) => name === action.name);
  // The run has gone on since the page with the button.
  if (!isOffered) return c.redirect(pathOfPage(view.workflowId), 303);
  return answerPage(c, <ConfirmPage {...{ view, status, action }} shell={shellOf(c)} />);
}

async function act(parts: GatewayParts, c: GatewayContext): Promise<Response> {
  const action = requestedAction(c);
  const { holdFor, reason, sameLines, run } = await readForm(c);
  const isRunId = !run || namedRunSchema.safeParse(run).success;
  if (!isRunId) throw badParameters([{ path: 'run', message: 'must be a Run Id' }]);
  const now = await findRunNow(parts, c);
  // What was shown and confirmed is meant, and no later run of the request.
  const view = { ...now, runId: run || now.runId };
  if (action.name === 'retry' || action.name === 'retry-failed') {
    const again = await retry(parts, c, { run: view, sameLines: sameLines === 'true' });
    return c.redirect(pathOfPage(again.workflowId), 303);
  }
  const body = {
    ...(action.name === 'extend' ? { holdFor } : {}),
    ...(action.name === 'abort' && reason ? { reason } : {}),
  };
  await operateByName(parts, view, { name: action.name, body, c });
  return c.redirect(pathOfPage(view.workflowId), 303);
}

/** @throws ProblemError (403, 404) */
function requestedAction(c: GatewayContext): PageAction {
  const action = actionOf(c.req.param('action') ?? '');
  refuseWithoutScope(c.get('caller'), action?.scope ?? Scope.read);
  if (action === undefined) throw NO_ACTION;
  return action;
}
