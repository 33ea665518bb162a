import { setMaxListeners } from 'node:events';

import { OpenAPIHono } from '@hono/zod-openapi';
import { every } from 'hono/combine';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { MiddlewareHandler } from 'hono';

import type { GcoreWorkflows } from '../client/index.js';
import { Operation } from '../contract/index.js';
import { admit, paceBodies, createAdmission, GATEWAY_LIMITS } from './admission.js';
import type {
  Audit,
  AuditEntry,
  Endpoint,
  GatewayApp,
  GatewayContext,
  GatewayEnv,
  GatewayParts,
} from './gateway-context.js';
import {
  answerProblem,
  authenticate,
  authenticateByPath,
  identify,
  limitRate,
  protectBrowsers,
  refuseWithoutScope,
  type AnswerLog,
  type Front,
} from './middleware.js';
import {
  buildDocument,
  registerComponents,
  addSchemas,
  type OpenApiDocument,
} from './openapi/build-document.js';
import { REFERENCE_POLICY, renderReference } from './openapi/reference-page.js';
import { createAccountHints } from './video-hints.js';
import { createGatewayMetrics, addHealth, createReadiness, addMetrics } from './routes/health.js';
import { answerNoPage, wantsPage } from './pages/answer-page.js';
import { addPages } from './pages/add-pages.js';
import { placeOf, type Problem } from './problem.js';
import { publicDocument } from './public-document.js';
import { refuseHeads } from './refuse-heads.js';
import { toProblem, UNEXPECTED } from './to-problem.js';
import { eventsEndpoint, type EventsOptions } from './routes/events.js';
import { listEndpoint } from './routes/list.js';
import { operateEndpoints } from './routes/operate.js';
import { batchesEndpoint } from './routes/batches.js';
import { planEndpoints } from './routes/plan.js';
import { readRunEndpoints } from './routes/read-run.js';
import { retryEndpoint } from './routes/retry.js';
import { startEndpoints } from './routes/start.js';
import { uploadEndpoints } from './routes/uploads.js';
import { addVideoHooks } from './routes/video-hooks.js';
import { createStatusBoard, readRunView } from './status-board.js';
import { createStreamCap } from './stream-cap.js';
import type { TokenStore } from './tokens.js';
import { traceRequests } from './trace-requests.js';
import type { SpanAround } from '../observe/tracing/span-around.js';

export interface GatewayOptions extends Front {
  gcore: GcoreWorkflows;
  /** Who may call. Without it, everybody who reaches the gateway by loopback. */
  tokens?: TokenStore | undefined;
  /** Told of every answer. */
  log?: (answer: AnswerLog) => void;
  version?: string;
  /** Of one token; 100 by default. */
  requestsPerSecond?: number;
  /** Open streams and long polls; 4,000, and 2,000 of one token by default. */
  streams?: { total: number; perCaller: number };
  events?: EventsOptions;
  /** The page of a run in the Temporal UI. */
  temporalUrl?: (workflowId: string) => string;
  /** Told of every read of a result or a report, and of everything that is asked of runs. */
  audit?: Audit;
  /** Puts requests into traces; without it they have none. */
  spanAround?: SpanAround | undefined;
  /** Aborted when the gateway ends: waits answer, streams close with a hint when to come back. */
  closing?: AbortSignal;
}

const REQUESTS_PER_SECOND = 100;
/** Each keeps its seat, with the memory that one takes. */
const STREAMS = { total: 4_000, perCaller: 2_000 };
const UPLOADS = {
  total: 8,
  perCaller: 2,
  says: { what: 'uploads and deletions of lists', advice: 'Send one after the other.' },
};

const PUBLIC_PATHS = ['/openapi.json', '/reference', '/schemas/*', '/assets/*'];

/** The HTTP API as a function from request to response. It opens no port. */
export function createGateway(options: GatewayOptions): GatewayApp {
  const { gcore, tokens, log = () => undefined, version = '0.0.0' } = options;
  const { requestsPerSecond = REQUESTS_PER_SECOND, streams = STREAMS } = options;
  const { closing = new AbortController().signal } = options;
  // Each open stream listens for it.
  setMaxListeners(0, closing);
  const app: GatewayApp = new OpenAPIHono<GatewayEnv>();
  const board = createStatusBoard((workflowId) => readRunView(gcore, workflowId));
  const metrics = createGatewayMetrics();
  const audit = (entry: AuditEntry): void => {
    metrics.audited(entry);
    options.audit?.(entry);
  };
  const caps = {
    streams: createStreamCap(streams),
    uploads: createStreamCap(UPLOADS),
  };
  const parts: GatewayParts = { gcore, board, ...caps, closing, audit };
  app.onError(answerError);
  app.notFound((c) => (wantsPage(c) ? answerNoPage(c) : answerProblem(c, NO_SUCH_PATH)));
  const onAnswer = (answer: AnswerLog): void => {
    metrics.answered(answer);
    log(answer);
  };
  const admission = createAdmission(GATEWAY_LIMITS);
  app.use(identify(onAnswer, options), protectBrowsers, refuseHeads, paceBodies());
  const readiness = createReadiness(parts);
  addHealth(app, readiness);
  const seat = admit(admission);
  for (const path of PUBLIC_PATHS) app.use(path, seat);
  addReference(app, () => document);
  addSchemas(app);
  const limit = every(limitRate(requestsPerSecond), seat);
  addMetrics(app, parts, { metrics, readiness, guards: [authenticate(tokens), limit] });
  addVideoHooks(app, createAccountHints(parts), [authenticateByPath(tokens), limit]);
  app.use('/v1/*', authenticate(tokens), limit);
  // A stranger fills no trace.
  if (options.spanAround !== undefined) app.use('/v1/*', traceRequests(options.spanAround));
  app.use('/v1/*', refuseMethods(app));
  for (const endpoint of endpointsOf(parts, options.events)) addEndpoint(app, endpoint);
  addPages(app, parts, { tokens, limit, seat, ...options });
  addUnknownOperation(app);
  registerComponents(app);
  const document = buildDocument(app, version);
  return app;
}

function answerError(error: Error, c: GatewayContext): Response {
  const problem = toProblem(error);
  if (problem === UNEXPECTED) c.set('unexpected', placeOf(error));
  return answerProblem(c, problem);
}

/** What the API is, for programs and for people. It holds no secret, and needs no token. */
function addReference(app: GatewayApp, read: () => OpenApiDocument): void {
  const document = publicDocument({ 'Content-Type': 'application/json' }, () =>
    JSON.stringify(read()),
  );
  const page = publicDocument(
    { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Security-Policy': REFERENCE_POLICY },
    () => renderReference(read()),
  );
  app.get('/openapi.json', (c) => {
    c.set('route', '/openapi.json');
    return document(c);
  });
  app.get('/reference', (c) => {
    c.set('route', '/reference');
    return page(c);
  });
}

/** In the order of the reference. */
export function endpointsOf(parts: GatewayParts, events?: EventsOptions): Endpoint[] {
  return [
    ...startEndpoints(parts),
    batchesEndpoint(parts),
    ...uploadEndpoints(parts),
    ...planEndpoints(parts),
    listEndpoint(parts),
    ...readRunEndpoints(parts),
    eventsEndpoint(parts, events),
    ...operateEndpoints(parts),
    retryEndpoint(parts),
  ];
}

function addEndpoint(app: GatewayApp, { route, scope, handle }: Endpoint): void {
  app.openAPIRegistry.registerPath(route);
  const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.on(route.method.toUpperCase(), path, (c) => {
    c.set('route', route.path);
    refuseWithoutScope(c.get('caller'), scope);
    return handle(c);
  });
}

/** Without it, an unknown operation would look like a wrong method on a run. */
function addUnknownOperation(app: GatewayApp): void {
  for (const path of ['/v1/runs/:operation', '/v1/plans/:operation']) {
    app.post(path, (c) => answerProblem(c, UNKNOWN_OPERATION));
  }
}

function refuseMethods(app: GatewayApp): MiddlewareHandler<GatewayEnv> {
  return methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) => {
      const allow = { Allow: allowedMethods(c.req.path, methods).join(', ') };
      return answerProblem(c, { ...WRONG_METHOD, headers: allow });
    },
  });
}

/** The routes of operations and those of runs and lists have the same form: `/v1/runs/{one segment}`. */
function allowedMethods(path: string, methods: string[]): string[] {
  const [, name] = /^\/v1\/(?:runs|uploads)\/([^/]+)$/.exec(path) ?? [];
  if (name === undefined) return methods;
  const isOperation = Object.keys(Operation).includes(name);
  return methods.filter((method) => (method === 'POST') === isOperation);
}

const WRONG_METHOD: Problem = {
  status: 405,
  code: 'MethodNotAllowed',
  title: 'The path has no such method',
  detail: 'This path exists, but not with this method.',
  advice: 'Use a method that the header Allow names.',
};

const NO_SUCH_PATH: Problem = {
  status: 404,
  code: 'NoSuchPath',
  title: 'There is no such path',
  detail: 'The gateway has no such path.',
  advice: 'See /openapi.json. A run is one segment: a slash of its id is %2F in the path.',
};

const UNKNOWN_OPERATION: Problem = {
  status: 404,
  code: 'UnknownOperation',
  title: 'There is no such operation',
  detail: 'The path names no operation. Nothing was started.',
  advice: `Use one of ${Object.keys(Operation).join(', ')}.`,
};
