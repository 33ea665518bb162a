import { activityInfo, cancellationSignal } from '@temporalio/activity';
import ky from 'ky';
import type { z } from 'zod';

import { anyErrorSchema, type AnyError } from '../../contract/api/errors.js';
import { FailureType, type FailureDetails, type Fault } from '../../contract/failures.js';
import { toApplicationFailure, type ApiFailure } from './api-failure.js';
import { areaOf, type Breakers } from './circuit-breaker.js';
import { classifyAnswer, textOf } from './classify-answer.js';
import { redact } from './redact.js';
import { addJitter, parseRetryAfter } from './retry-after.js';
import { networkErrorCode, wasSent } from './was-sent.js';

export interface ApiClientOptions {
  baseUrl: string;
  apiKey: string;
  /** Word before the key in the Authorization header; official material spells it in two ways. */
  authScheme?: string;
  fetch?: typeof globalThis.fetch;
  /** Who calls: the running activity, unless said otherwise. */
  callContext?: () => CallContext;
  /** Time for one exchange, headers to last byte. Must be below the activities' start-to-close. */
  timeoutMs?: number;
  /** Pause before a read is repeated whose answer has an unknown form; a minute. */
  unexpectedRetryMs?: number;
  /** Shared by all clients of the account. Without them every call is sent. */
  breakers?: Breakers;
}

export interface CallContext {
  /** Aborts when the caller is cancelled. */
  cancelled: AbortSignal;
  workflowId: string | undefined;
}

export interface ApiRequest<T> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  body?: unknown;
  response: z.ZodType<T>;
  /** True when sending it twice does no harm: reads, and deletes of one named resource. */
  repeatable: boolean;
  /** Values in `body` that must not appear in any failure. */
  secrets?: readonly string[];
}

/** Sends one request and parses the answer; throws `ApplicationFailure` only (or the abort of a cancelled activity). */
export interface ApiClient {
  request<T>(request: ApiRequest<T>): Promise<T>;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const PRODUCT = 'gcore-workflows/0.1.0';
/** Longest text of the API that is repeated in a failure. */
const EXCERPT = 500;

export function createApiClient(options: ApiClientOptions): ApiClient {
  const http = ky.create({
    prefixUrl: options.baseUrl,
    // Temporal owns retries. A retry in here would repeat a mutation blindly.
    retry: 0,
    // ky stops its own timer at the headers; `exchange` has one that covers the body.
    timeout: false,
    // Errors are made from the answer below; ky's own would carry request headers into logs.
    throwHttpErrors: false,
    redirect: 'manual',
    headers: {
      authorization: `${options.authScheme ?? 'apikey'} ${options.apiKey}`,
    },
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const send: Send = {
    http,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    callContext: options.callContext ?? contextOfActivity,
  };

  return {
    async request<T>(request: ApiRequest<T>): Promise<T> {
      const { method, path, repeatable } = request;
      const secrets = [options.apiKey, ...(request.secrets ?? [])];
      const fail = (failure: Description): Error =>
        toApplicationFailure({
          ...failure,
          message: excerpt(`${method} ${path} ${failure.message}`, secrets),
          details: redactDetails({ method, path, ...failure.details }, secrets),
          unexpectedRetryMs: options.unexpectedRetryMs,
          repeatable,
        });
      const call = (): ReturnType<typeof exchange> => exchange(send, request);
      const answer = await (options.breakers?.run(areaOf(path), call) ?? call());
      if ('failure' in answer) throw fail(answer.failure);
      if (!answer.ok) throw fail(describeRefusal(answer, repeatable));
      const parsed = request.response.safeParse(answer.json);
      if (parsed.success) return parsed.data;
      throw fail(describeMismatch(answer, repeatable));
    },
  };
}

/** What went wrong, before it becomes a failure of Temporal. */
type Description = Omit<ApiFailure, 'repeatable'>;

interface Send {
  http: typeof ky;
  timeoutMs: number;
  callContext: () => CallContext;
}

function contextOfActivity(): CallContext {
  const { workflowExecution } = activityInfo();
  return { cancelled: cancellationSignal(), workflowId: workflowExecution?.workflowId };
}

interface RawAnswer {
  ok: boolean;
  status: number;
  retryAfterMs: number | undefined;
  text: string;
  /** `undefined` when the body is no JSON. */
  json: unknown;
}

async function exchange(
  { http, timeoutMs, callContext }: Send,
  request: ApiRequest<unknown>,
): Promise<RawAnswer | { failure: Description }> {
  const { cancelled, workflowId } = callContext();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await http(request.path.replace(/^\//, ''), {
      method: request.method,
      searchParams: toSearchParams(request.query ?? {}),
      ...(request.body === undefined ? {} : { json: request.body }),
      headers: { 'user-agent': userAgentOf(workflowId) },
      signal: AbortSignal.any([cancelled, timeout]),
    });
    const text = await response.text();
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), Date.now());
    return { ok: response.ok, status: response.status, retryAfterMs, text, json: parseJson(text) };
  } catch (error) {
    // A cancelled activity must end as cancelled: the SDK recognises its own reason, and nothing
    // of the request hangs on it.
    if (cancelled.aborted) throw cancelled.reason;
    const found = timeout.aborted
      ? { code: 'no answer in time', sent: true }
      : { code: networkErrorCode(error), sent: wasSent(error) };
    return { failure: describeNetworkError(found, request.repeatable) };
  }
}

function describeNetworkError(
  { code, sent }: { code: string; sent: boolean },
  repeatable: boolean,
): Description {
  return sent && !repeatable
    ? {
        type: FailureType.outcomeUnknown,
        message: `was sent, but its answer was lost (${code})`,
        details: {},
      }
    : {
        type: FailureType.serviceUnavailable,
        message: sent ? `got no answer (${code})` : `could not be sent (${code})`,
        details: {},
      };
}

function describeRefusal(answer: RawAnswer, repeatable: boolean): Description {
  const error = toAnyError(answer.json);
  const type = classifyAnswer({ status: answer.status, error }, repeatable);
  const said = textOf(error);
  const faults = toFaults(error);
  return {
    type,
    message: `was answered with ${answer.status}${said === '' ? '' : ` (${said})`}`,
    retryAfterMs:
      answer.retryAfterMs === undefined ? undefined : addJitter(answer.retryAfterMs, Math.random()),
    details: {
      status: answer.status,
      ...(error.exception_class === undefined ? {} : { code: error.exception_class }),
      ...(error.request_id === undefined ? {} : { requestId: error.request_id }),
      ...(faults.length === 0 ? {} : { faults }),
    },
  };
}

/** A mutation whose answer cannot be read has probably happened: its outcome is unknown. */
function describeMismatch(answer: RawAnswer, repeatable: boolean): Description {
  const what = answer.json === undefined ? 'a body that is no JSON' : 'an unknown form of body';
  return {
    type: repeatable ? FailureType.unexpectedResponse : FailureType.outcomeUnknown,
    message: `was answered with ${answer.status} and ${what} (${answer.text.length} characters)`,
    details: { status: answer.status },
  };
}

function toAnyError(json: unknown): AnyError {
  const parsed = anyErrorSchema.safeParse(json);
  return parsed.success ? parsed.data : {};
}

function toFaults(error: AnyError): Fault[] {
  return Object.entries({ ...error.invalid_fields, ...error.errors }).map(([path, texts]) => ({
    path,
    message: [texts].flat().join(', '),
  }));
}

/** Redacted first and cut then: a cut through a secret would leave its beginning. */
function excerpt(text: string, secrets: readonly string[]): string {
  return redact(text, secrets).slice(0, EXCERPT);
}

type Details = Omit<FailureDetails, 'advice'>;

function redactDetails(details: Details, secrets: readonly string[]): Details {
  const { code, requestId, faults } = details;
  return {
    ...details,
    ...(code === undefined ? {} : { code: excerpt(code, secrets) }),
    ...(requestId === undefined ? {} : { requestId: excerpt(requestId, secrets) }),
    ...(faults && {
      faults: faults.map(({ path, message }) => ({
        path: excerpt(path, secrets),
        message: excerpt(message, secrets),
      })),
    }),
  };
}

/** The API's audit log can be filtered by it, so it names the run that sent a call. */
function userAgentOf(workflowId: string | undefined): string {
  return workflowId === undefined ? PRODUCT : `${PRODUCT} (${encodeURI(workflowId)})`;
}

/** Arrays repeat their key, as the official clients do: `state=NEW&state=RUNNING`. */
function toSearchParams(query: NonNullable<ApiRequest<unknown>['query']>): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const item of value === undefined ? [] : [value].flat()) params.append(key, String(item));
  }
  return params;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
