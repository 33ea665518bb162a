import { Hono } from 'hono';
import { every } from 'hono/combine';
import { cors } from 'hono/cors';

import type { Codec } from '../../codec/codec.js';
import { DecryptionError } from '../../codec/decryption-error.js';
import type { PayloadOwner } from '../../codec/payload-owner.js';
import { withoutAdvice } from '../../engine/core/failures.js';
import { admit, paceBodies, createAdmission, GATEWAY_LIMITS } from '../admission.js';
import type { Audit, GatewayContext, GatewayEnv } from '../gateway-context.js';
import { audited } from '../audit.js';
import {
  answerProblem,
  identify,
  limitRate,
  protectBrowsers,
  type AnswerLog,
  type Front,
} from '../middleware.js';
import { placeOf, ProblemError, type Problem } from '../problem.js';
import { refuseHeads } from '../refuse-heads.js';
import { toProblem, UNEXPECTED } from '../to-problem.js';
import { readBytes } from '../read-body.js';
import type { TokenStore } from '../tokens.js';
import { authenticateDecoder } from './authenticate-decoder.js';
import { parsePayloads, toBody } from './payload-json.js';
import { addSignIn } from './sign-in.js';

export interface CodecServerOptions extends Front {
  codec: Codec;
  /** Who may call. Without it, everybody who reaches the server by loopback. */
  tokens?: TokenStore | undefined;
  /** Origins of the Temporal UI, such as `https://temporal.example.com`: no page of another origin may call. */
  uiOrigins: readonly string[];
  /** Told of everything that is decrypted or encrypted. */
  audit?: Audit;
  /** Told of every answer. */
  log?: (answer: AnswerLog) => void;
  /** Of one token; 500 by default. */
  requestsPerSecond?: number;
}

/** A page of the UI asks once for each event. */
const REQUESTS_PER_SECOND = 500;
/** A page of a history has up to 4 MiB, which base64 makes a third longer. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const LIMITS = {
  ...GATEWAY_LIMITS,
  memory: { ...GATEWAY_LIMITS.memory, tokens: 4 * MAX_BODY_BYTES },
};
const PREFLIGHT_SECONDS = 600;

/**
 * Temporal's remote codec as a function from request to response: `POST /decode` and `POST /encode` with
 * `{"payloads": […]}`. It opens no port.
 */
export function createCodecServer(options: CodecServerOptions): Hono<GatewayEnv> {
  const { codec, tokens, uiOrigins, log = () => undefined, audit = () => undefined } = options;
  const app = new Hono<GatewayEnv>();
  app.onError(answerError);
  app.notFound((c) => answerProblem(c, NO_SUCH_PATH));
  const admission = createAdmission(LIMITS);
  app.use(identify(log, options), protectBrowsers, refuseHeads, paceBodies());
  app.get('/livez', (c) => {
    c.set('route', '/livez');
    return c.json({ ok: true });
  });
  const perSecond = options.requestsPerSecond ?? REQUESTS_PER_SECOND;
  const seat = admit(admission);
  const limit = every(limitRate(perSecond), seat);
  addSignIn(app, { tokens, seat, uiOrigins });
  const forTheUi = cors({
    origin: [...uiOrigins],
    credentials: true,
    allowMethods: ['POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'X-Namespace'],
    maxAge: PREFLIGHT_SECONDS,
  });
  const authenticate = authenticateDecoder(tokens, uiOrigins);
  for (const way of ['decode', 'encode'] as const) {
    app.use(`/${way}`, forTheUi, authenticate, limit);
    app.post(`/${way}`, async (c) => {
      c.set('route', `/${way}`);
      const owner = way === 'encode' ? ownerIn(c) : undefined;
      const payloads = parsePayloads(await readBytes(c, MAX_BODY_BYTES));
      const body = await audited(audit, { c, action: way }, async () =>
        toBody(await codec[way](payloads, owner)),
      );
      return c.body(body, 200, { 'Content-Type': 'application/json' });
    });
  }
  return app;
}

/** The UI and the CLI of Temporal name the namespace, and not the run. A payload for nobody would be refused by all. */
function ownerIn(c: GatewayContext): PayloadOwner {
  const namespace = c.req.header('X-Namespace') ?? '';
  if (namespace === '') throw new ProblemError(NO_NAMESPACE);
  return { namespace };
}

function answerError(error: Error, c: GatewayContext): Response {
  const problem = toDecodeProblem(error);
  if (problem === UNEXPECTED) c.set('unexpected', placeOf(error));
  return answerProblem(c, problem);
}

/** Nothing is shown for a payload that cannot be decrypted: a program would take it for the value. */
function toDecodeProblem(error: Error): Problem {
  if (!(error instanceof DecryptionError)) return toProblem(error);
  const { advice, message } = error;
  return {
    status: 400,
    code: error.type ?? 'DecryptionFailed',
    title: 'A payload cannot be decrypted',
    detail: withoutAdvice(message, advice),
    advice,
  };
}

const NO_NAMESPACE: Problem = {
  status: 400,
  code: 'InvalidRequest',
  title: 'The request does not name a namespace',
  detail: 'What is encrypted belongs to a namespace, which the header X-Namespace names.',
  advice: 'Send X-Namespace with the namespace of the run, as the Temporal UI and CLI do.',
};

const NO_SUCH_PATH: Problem = {
  status: 404,
  code: 'NoSuchPath',
  title: 'There is no such path',
  detail: 'The codec server has POST /decode and POST /encode only, and GET /sign-in.',
  advice: 'Name this server without a path as the codec endpoint of the Temporal UI or CLI.',
};
