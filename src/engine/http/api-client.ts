import { setMaxListeners } from 'node:events';

import ky, { type KyInstance } from 'ky';
import type { z } from 'zod';

import { cutText } from '../core/text.js';
import { timeOfDay } from '../activities/attempt.js';
import type { ApiDescription } from './api-description.js';
import { createApiClock, type ApiClock } from './api-clock.js';
import {
  toApplicationFailure,
  describeMismatch,
  describeRefusal,
  describeUnwritable,
  type ApiFailure,
  type RawAnswer,
} from './describe-failure.js';
import { toApiKeys, type ApiKeys } from './api-keys.js';
import { ignoringCancelRequest } from './deadline.js';
import {
  observedCall,
  type CallObserver,
  type Exchanged,
  type ObservedCall,
  contextOfActivity,
  type CallContext,
} from './call-context.js';
import type { Breakers } from './circuit-breaker.js';
import { exchange, type ExchangeOptions, type Outgoing } from './exchange.js';
import { NO_SECRETS, type Secrets } from './secrets.js';
import { sendInTurn, type Turns } from './send-in-turn.js';

export interface ApiClientOptions extends Turns {
  api: ApiDescription;
  baseUrl: string;
  /** Asked for each request, because a key may be replaced. */
  apiKey: string | ApiKeys;
  fetch?: typeof globalThis.fetch;
  /** The caller; the running activity by default. */
  callContext?: () => CallContext;
  /** Time for one exchange, from headers to last byte. Must be below the activities' start-to-close. */
  timeoutMs?: number;
  /** Shared by all clients of the account. Without breakers every call is sent. */
  breakers?: Breakers;
}

export interface ApiRequest<T> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  body?: unknown;
  /** Where the body stands in the input of the run: a refusal points there. */
  bodyAt?: string;
  response: z.ZodType<T>;
  /** It changes nothing. What was sent without an answer is repeated; the outcome of anything else is unknown then. */
  repeatable: boolean;
  /** What `body` holds and no text that leaves the activity may repeat. Asked for a refusal only. */
  secrets?: () => Secrets;
  /** The answer may have 64 MiB: it is a list, or has texts of any size. Any other may have 1 MiB. */
  isLarge?: boolean;
  /** Multiplies the client timeout, where the API documents a longer one. Default 1. */
  timeoutFactor?: number;
}

/** Sends one request and parses the answer. Throws only `ApplicationFailure`, or the abort of a cancelled activity. */
export interface ApiClient {
  request<T>(request: ApiRequest<T>): Promise<T>;
  /** The caller of a request that is made now. */
  callContext: () => CallContext;
  readonly clock: Pick<ApiClock, 'aheadMs'>;
}

const DEFAULT_TIMEOUT_MS = 15_000;
/** Longest message of a failure, without its advice, in bytes. */
const MAX_MESSAGE_BYTES = 500;

export function createApiClient(options: ApiClientOptions): ApiClient {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, callContext = contextOfActivity } = options;
  const keys = toApiKeys(options.apiKey);
  // Recorded times are those of the Temporal server.
  const clock = createApiClock(timeOfDay);
  const sender = createSender(options, keys, clock);
  return {
    callContext,
    clock,
    async request<T>(request: ApiRequest<T>): Promise<T> {
      const { method, path, repeatable, timeoutFactor = 1 } = request;
      const fail = (failure: ApiFailure): Error => toFailure(options, request, failure);
      const context = callContext();
      // Many calls of one activity may wait at a time.
      setMaxListeners(0, context.cancelled);
      const outgoing = toOutgoing(request, context, options.api);
      if ('failure' in outgoing) throw fail(outgoing.failure);
      const limits = { timeoutMs: timeoutMs * timeoutFactor };
      const observed = observedCall(request, context, options.api);
      const send = (cancelled: AbortSignal) =>
        observedBy(options.observer, observed, () =>
          exchange({ ...sender, cancelled, ...limits }, outgoing),
        );
      const call = () =>
        method === 'GET' ? send(context.cancelled) : ignoringCancelRequest(context.cancelled, send);
      const about = { urgent: context.lane === 'urgent', caller: context.workflowId };
      // The turn comes first: a breaker may open while a call waits for it.
      const answer = await sendInTurn(options, {
        context,
        ...limits,
        isRead: method === 'GET',
        send: async () => options.breakers?.run(path, call, about) ?? call(),
      });
      if ('failure' in answer) {
        const { notSent } = answer.failure;
        if (notSent !== undefined) options.observer?.held(observed, notSent);
        throw fail(answer.failure);
      }
      if (!answer.ok)
        throw fail(describeFor(request, answer, { api: options.api, keys: keys.all() }));
      const parsed = takesBack(options.api, request, answer.json)
        ? SAYS_ERROR
        : request.response.safeParse(answer.json);
      if (parsed.success && isOfApi(answer)) return parsed.data;
      throw fail(describeMismatch(answer, { repeatable, misfits: parsed.error?.issues }));
    },
  };
}

const SAYS_ERROR = {
  success: false,
  error: { issues: [{ path: [], message: 'it says an error' }] },
} as const;

/** Also where nobody reads the body: what the call has done is unknown then. */
function takesBack(
  { errors }: Pick<ApiDescription, 'errors'>,
  { method }: Pick<ApiRequest<unknown>, 'method'>,
  json: unknown,
): boolean {
  return method !== 'GET' && errors.isError?.(json) === true;
}

/**
 * The API answers with JSON or with nothing. A page with a 200 comes from what stands before it, and says nothing of the
 * call: not even where the caller wants no body.
 */
function isOfApi({ text, json, tooLargeFor }: RawAnswer): boolean {
  return json !== undefined || (text === '' && tooLargeFor === undefined);
}

function toFailure(
  { api }: ApiClientOptions,
  { method, path }: ApiRequest<unknown>,
  failure: ApiFailure,
): Error {
  return toApplicationFailure({
    ...failure,
    message: cutText(`${method} ${path} ${failure.message}`, MAX_MESSAGE_BYTES),
    details: { method, path, ...failure.details },
    advice: api.advice,
  });
}

function observedBy<T extends Exchanged>(
  observer: CallObserver | undefined,
  call: ObservedCall,
  send: () => Promise<T>,
): Promise<T> {
  return observer === undefined ? send() : observer.exchange(call, send);
}

type Sender = Pick<ExchangeOptions, 'http' | 'fetch' | 'authorization' | 'clock'>;

function createSender(options: ApiClientOptions, keys: ApiKeys, clock: ApiClock): Sender {
  const { fetch = globalThis.fetch, api } = options;
  const authorization = () => api.authorize(keys.current());
  return { http: createHttp(options), fetch, authorization, clock };
}

function createHttp({ baseUrl }: ApiClientOptions): KyInstance {
  return ky.create({
    prefixUrl: baseUrl,
    // Temporal owns retries. A retry in here would repeat a mutation blindly.
    retry: 0,
    // `exchange` owns the time: ky stops its timer at the headers.
    timeout: false,
    // Failures are built from the answer below. Errors of ky would carry request headers into logs.
    throwHttpErrors: false,
    redirect: 'manual',
  });
}

const MAX_BYTES = 1024 ** 2;
const MAX_LIST_BYTES = 64 * MAX_BYTES;

/** Writes the body before anything is sent: a body that cannot be written is a fault of the input. */
function toOutgoing(
  request: ApiRequest<unknown>,
  { workflowId }: CallContext,
  { userAgent }: ApiDescription,
): Outgoing | { failure: ApiFailure } {
  const { method, path, query = {}, repeatable, isLarge = false } = request;
  const body = writeJson(request.body);
  if (body === 'unwritable') return { failure: describeUnwritable() };
  return {
    method,
    path,
    repeatable,
    ...body,
    searchParams: toSearchParams(query),
    userAgent: userAgentOf(userAgent, workflowId),
    maxBytes: isLarge ? MAX_LIST_BYTES : MAX_BYTES,
  };
}

/** `JSON.stringify` throws when a value is nested too deeply for the stack. */
function writeJson(body: unknown): { body?: string } | 'unwritable' {
  if (body === undefined) return {};
  try {
    return { body: JSON.stringify(body) };
  } catch {
    return 'unwritable';
  }
}

function describeFor(
  { repeatable, bodyAt, secrets = () => NO_SECRETS }: ApiRequest<unknown>,
  answer: RawAnswer,
  { api, keys }: { api: ApiDescription; keys: readonly string[] },
): ApiFailure {
  const { values, withholdsTexts } = secrets();
  const all = { values: [...keys, ...values], keys, withholdsTexts };
  return describeRefusal(answer, { api, repeatable, bodyAt, secrets: all });
}

/** Names the run that sent a call: the audit log of the API can be filtered by user agent. */
function userAgentOf(product: string, workflowId: string | undefined): string {
  return workflowId === undefined ? product : `${product} (${encodeURI(workflowId)})`;
}

/** Arrays repeat their key, as the official clients do: `state=NEW&state=RUNNING`. */
function toSearchParams(query: NonNullable<ApiRequest<unknown>['query']>): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const item of value === undefined ? [] : [value].flat()) params.append(key, String(item));
  }
  return params;
}
