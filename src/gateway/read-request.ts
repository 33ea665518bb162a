import { z } from 'zod';

import { InvalidInputError } from '../client/index.js';
import { parseInput, operationSchemas, type Fault, type Operations } from '../contract/index.js';
import { countFaults, firstFaults, idFaults } from '../engine/core/faults.js';
import { parseDuration } from '../engine/core/times.js';
import { plural } from '../engine/core/text.js';
import type { GatewayContext } from './gateway-context.js';
import { ProblemError, toParameters } from './problem.js';

/** Temporal's longest Workflow Id. */
const MAX_ID_LENGTH = 1_000;

/**
 * The Workflow Id in the path, after `runs`: `/v1/runs/<id>/…`. It is one segment, percent-encoded
 * once: a slash of the id is `%2F`. Taken from the path as it was sent, because a router may decode it twice.
 * @throws ProblemError (400)
 */
export function runIdOf(url: string): string {
  const segments = new URL(url).pathname.split('/');
  const segment = segments[segments.indexOf('runs') + 1] ?? '';
  const id = decoded(segment);
  if (id === undefined) throw badId('is not percent-encoded UTF-8');
  if (id.length > MAX_ID_LENGTH) throw badId(`must have at most ${MAX_ID_LENGTH} characters`);
  const [fault] = idFaults('id', id);
  if (fault !== undefined) throw badId(fault.message);
  return id;
}

/** A Run Id as Temporal makes it. */
export const namedRunSchema = z.string().regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i);

/** The Run Id in the query, for a caller who means no later run of the request. @throws ProblemError (400) */
export function namedRunOf(url: string): string | undefined {
  const [runId, ...more] = new URL(url).searchParams.getAll('runId');
  if (runId === undefined) return undefined;
  const isOne = more.length === 0;
  if (isOne && namedRunSchema.safeParse(runId).success) return runId;
  const message = isOne ? 'must be the Run Id that the start has answered' : 'is there twice';
  throw badParameters([{ path: 'runId', message }]);
}

/** The path of a run. */
export function runPath(workflowId: string): string {
  return `/v1/runs/${encodeURIComponent(workflowId)}`;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function badId(message: string): ProblemError {
  return new ProblemError({
    status: 400,
    code: 'BadRequest',
    title: 'The id in the path is not valid',
    detail: `The id in the path ${message}.`,
    advice: 'Encode the Workflow Id as one segment, as encodeURIComponent does.',
    faults: [{ parameter: 'id', message }],
  });
}

/** The query parameters of a request. @throws ProblemError (400), also for unknown and repeated ones */
export function readQuery<T>(c: GatewayContext, schema: z.ZodType<T>): T {
  const given = c.req.queries();
  const repeated = Object.entries(given).filter(([, values]) => values.length > 1);
  const single = Object.fromEntries(Object.entries(given).map(([name, [value]]) => [name, value]));
  const parsed = parseInput(schema, single);
  const faults = firstFaults([
    ...repeated.map(([path]) => ({ path, message: 'is there twice' })),
    ...(parsed.ok ? [] : parsed.faults),
  ]);
  if (!parsed.ok || faults.length > 0) throw badParameters(faults);
  return parsed.value;
}

/** Headers or query parameters that cannot be used. */
export function badParameters(faults: readonly Fault[]): ProblemError {
  return new ProblemError({
    status: 400,
    code: 'BadRequest',
    title: 'A parameter is not valid',
    detail: `The request has ${plural(countFaults(faults), 'fault')} outside of its body. Nothing was started or changed.`,
    advice: 'Correct the parameters and send the request again.',
    faults: toParameters(faults),
  });
}

const KEY_HEADER = 'Idempotency-Key';
const MAX_KEY_LENGTH = 255;

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** As the document of the API describes it. */
export const idempotencyKeySchema = z.string().regex(VISIBLE_ASCII).max(MAX_KEY_LENGTH);

/**
 * The request id of `Idempotency-Key`. The quotes of a structured header (`"order-4711"`) do not count.
 * @throws ProblemError (400)
 */
export function parseIdempotencyKey(header: string | undefined): string {
  const key = /^"(.*)"$/.exec(header ?? '')?.[1] ?? header ?? '';
  const fault = faultOf(header, key);
  if (fault !== undefined) throw badParameters([{ path: KEY_HEADER, message: fault }]);
  return key;
}

function faultOf(header: string | undefined, key: string): string | undefined {
  if (header === undefined) {
    return 'is missing: it names your request, such as an order number. Repeat it to repeat the request';
  }
  if (key.length > MAX_KEY_LENGTH) return `must have at most ${MAX_KEY_LENGTH} characters`;
  return VISIBLE_ASCII.test(key) ? undefined : 'must be visible ASCII characters without spaces';
}

export type ParsedWait = { ok: true; ms: number } | { ok: false; message: string };

/** Proxies between a caller and the gateway usually give up after a minute. */
const LONGEST_WAIT_MS = 55_000;

/** `wait=30s`: how long an answer may take. `0` and a missing parameter do not wait. */
export function parseWait(text: string | undefined): ParsedWait {
  if (text === undefined || text === '0' || text === '0s') return { ok: true, ms: 0 };
  const parsed = parseDuration(text);
  if (!parsed.ok) return parsed;
  if (parsed.ms <= LONGEST_WAIT_MS) return parsed;
  return { ok: false, message: `must be at most ${LONGEST_WAIT_MS / 1000}s: ask again after that` };
}

/** Whether `If-None-Match` names this tag. Comparison is weak, as RFC 9110 asks for a GET. */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(/(?:W\/)?"([^"]*)"/g)].some(([, named]) => named === tag);
}

/** The body as the input of an operation. @throws InvalidInputError with every fault */
export function parseOperationInput<O extends keyof Operations>(
  operation: O,
  body: unknown,
): Operations[O]['input'] {
  return parseBody<Operations[O]['input']>(operationSchemas[operation].input, body);
}

/** @throws InvalidInputError with every fault */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = parseInput(schema, body);
  if (!parsed.ok) throw new InvalidInputError(parsed.faults);
  return parsed.value;
}
