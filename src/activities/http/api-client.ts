import { cancellationSignal } from '@temporalio/activity';
import ky, { TimeoutError } from 'ky';
import type { z } from 'zod';

import { anyErrorSchema, type AnyError } from '../../contract/api/errors.js';
import { FailureType, type FailureDetails, type Fault } from '../../contract/failures.js';
import { toApplicationFailure, type ApiFailure } from './api-failure.js';
import { classifyAnswer, textOf } from './classify-answer.js';
import { redact } from './redact.js';
import { addJitter, parseRetryAfter } from './retry-after.js';
import { networkErrorCode, wasSent } from './was-sent.js';

export interface ApiClientOptions {
  baseUrl: string;
  apiKey: string;
  /** Word before the key in the Authorization header; official material spells it in two ways. */
  authScheme?: string;
  userAgent?: string;
  fetch?: typeof globalThis.fetch;
  /** Time for one exchange, headers to last byte. Must be below the activities' start-to-close. */
  timeoutMs?: number;
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
/** Longest text of the API that is repeated in a failure. */
const EXCERPT = 500;

export function createApiClient(options: ApiClientOptions): ApiClient {
  const http = ky.create({
    prefixUrl: options.baseUrl,
    // Temporal owns retries. A retry in here would repeat a mutation blindly.
    retry: 0,
    timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    // Errors are made from the answer below; ky's own would carry request headers into logs.
    throwHttpErrors: false,
    redirect: 'manual',
    headers: {
      authorization: `${options.authScheme ?? 'apikey'} ${options.apiKey}`,
      'user-agent': options.userAgent ?? 'gcore-workflows',
    },
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });

  return {
    async request<T>(request: ApiRequest<T>): Promise<T> {
      const secrets = [options.apiKey, ...(request.secrets ?? [])];
      const fail = (failure: Omit<ApiFailure, 'repeatable'>): Error =>
        toApplicationFailure({
          ...failure,
          message: redact(`${request.method} ${request.path} ${failure.message}`, secrets),
          details: redactDetails(
            { method: request.method, path: request.path, ...failure.details },
            secrets,
          ),
          repeatable: request.repeatable,
        });
      const answer = await exchange(http, request, fail);
      if (!answer.ok) throw fail(describeRefusal(answer, request.repeatable));
      const parsed = request.response.safeParse(answer.json);
      if (parsed.success) return parsed.data;
      throw fail(describeMismatch(answer, request.repeatable));
    },
  };
}

interface RawAnswer {
  ok: boolean;
  status: number;
  retryAfterMs: number | undefined;
  text: string;
  /** `undefined` when the body is no JSON. */
  json: unknown;
}

type Fail = (failure: Omit<ApiFailure, 'repeatable'>) => Error;

async function exchange(
  http: typeof ky,
  request: ApiRequest<unknown>,
  fail: Fail,
): Promise<RawAnswer> {
  const signal = cancellationSignal();
  try {
    const response = await http(request.path.replace(/^\//, ''), {
      method: request.method,
      searchParams: toSearchParams(request.query ?? {}),
      ...(request.body === undefined ? {} : { json: request.body }),
      signal,
    });
    const text = await response.text();
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), Date.now());
    return { ok: response.ok, status: response.status, retryAfterMs, text, json: parseJson(text) };
  } catch (error) {
    // A cancelled activity must end as cancelled: the SDK recognises the abort by its own error.
    if (signal.aborted) throw error;
    throw fail(describeNetworkError(error, request.repeatable));
  }
}

function describeNetworkError(error: unknown, repeatable: boolean): Omit<ApiFailure, 'repeatable'> {
  const timedOut = error instanceof TimeoutError;
  const code = timedOut ? 'no answer in time' : networkErrorCode(error);
  const sent = timedOut || wasSent(error);
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

function describeRefusal(answer: RawAnswer, repeatable: boolean): Omit<ApiFailure, 'repeatable'> {
  const error = toAnyError(answer.json);
  const type = classifyAnswer({ status: answer.status, error }, repeatable);
  const said = textOf(error).slice(0, EXCERPT);
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
function describeMismatch(answer: RawAnswer, repeatable: boolean): Omit<ApiFailure, 'repeatable'> {
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

function redactDetails(
  details: Omit<FailureDetails, 'advice'>,
  secrets: readonly string[],
): Omit<FailureDetails, 'advice'> {
  if (details.faults === undefined) return details;
  const faults = details.faults.map((fault) => ({
    path: redact(fault.path, secrets),
    message: redact(fault.message, secrets).slice(0, EXCERPT),
  }));
  return { ...details, faults };
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
