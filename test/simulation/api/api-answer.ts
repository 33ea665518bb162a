import type { ApiCall } from './api-call.js';

/** What comes back: an answer, a broken connection, or nothing. */
export type Reply = Answer | Broken | { kind: 'hung' };

export interface Answer {
  kind: 'answer';
  status: number;
  headers: Headers;
  text: string;
}

export interface Broken {
  kind: 'broken';
  error: unknown;
}

/** An answer in JSON, or without a body. */
export function answerOf(status: number, json?: unknown): Answer {
  const headers = new Headers(json === undefined ? {} : { 'content-type': 'application/json' });
  return { kind: 'answer', status, headers, text: json === undefined ? '' : JSON.stringify(json) };
}

/** Statuses that have no body. */
const BODILESS = new Set([204, 205, 304]);

export function toResponse({ status, headers, text }: Answer): Response {
  return new Response(BODILESS.has(status) || text === '' ? null : text, { status, headers });
}

const CLASSES: Readonly<Record<number, string>> = {
  403: 'ForbiddenError',
  404: 'NotFoundError',
  409: 'ConflictError',
  429: 'TooManyRequests',
};

/** A refusal in the form of the area of the call. */
export function refusalOf(
  { area }: Pick<ApiCall, 'area'>,
  status: number,
  message: string,
): Answer {
  if (area === 'fastedge') {
    return status === 404 ? answerOf(404) : answerOf(status, { error: message });
  }
  if (area === 'streaming') return answerOf(status, { status, error: message });
  if (area === 'storage') return answerOf(status, { error: message });
  const exceptionClass = CLASSES[status] ?? 'HTTPError';
  return answerOf(status, { exception_class: exceptionClass, message, request_id: 'simulated' });
}

/** A failure of the connection, as Node's `fetch` says it. */
export function brokenBy(code: string, syscall = 'read'): Broken {
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  return { kind: 'broken', error: new TypeError('fetch failed', { cause }) };
}

/** Node's `fetch` waits this long for headers. */
export const NO_HEADERS_AFTER_MS = 300_000;

export function noHeaders(): Broken {
  return brokenBy('UND_ERR_HEADERS_TIMEOUT');
}

export type Row = Record<string, unknown>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text as JSON; undefined for anything else. */
export function parse(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}

const LISTS = ['results', 'stores', 'entries'] as const;

/** The rows of a list answer; undefined for an answer that is no list. */
export function rowsOf(json: unknown): unknown[] | undefined {
  if (!isRow(json)) return toList(json);
  const name = LISTS.find((list) => Array.isArray(json[list]));
  return name === undefined ? undefined : toList(json[name]);
}

function toList(value: unknown): unknown[] | undefined {
  const list: unknown[] | undefined = Array.isArray(value) ? value : undefined;
  return list;
}

/** The same list with other rows. `count` counts what is there, on other pages too. */
export function withRows(json: unknown, rows: readonly unknown[]): unknown {
  if (!isRow(json)) return rows;
  const name = LISTS.find((list) => Array.isArray(json[list])) ?? 'results';
  const before = rowsOf(json)?.length ?? 0;
  const { count } = json;
  const left = typeof count === 'number' ? { count: count - before + rows.length } : {};
  return { ...json, ...left, [name]: rows };
}
