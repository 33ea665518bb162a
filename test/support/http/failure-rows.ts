import type { FailureType } from '../../../src/engine/core/failures.js';
import { json } from './scripted-api.js';

/** One row of the failure table: an answer, and its failure type for a read and for a mutation. */
interface FailureRow {
  title: string;
  answer: () => Response;
  read: FailureType;
  mutation: FailureType;
  /** Further fields of the details, beside method, path, status and advice. */
  details?: Record<string, unknown>;
}

const cloud = (exceptionClass: string, message: string) => ({
  exception_class: exceptionClass,
  message,
  request_id: 'req-1',
});
const known = (code: string) => ({ code, requestId: 'req-1' });

/** The same failure whether the call was a read or a mutation. */
function definite(type: FailureType, row: Omit<FailureRow, 'read' | 'mutation'>): FailureRow {
  return { ...row, read: type, mutation: type };
}

/** The API refuses the call and does nothing. */
const REFUSALS: FailureRow[] = [
  definite('NotFound', {
    title: '404 of something called quota',
    answer: () => json(cloud('NotFoundError', 'Instance quota-1 not found'), 404),
    details: known('NotFoundError'),
  }),
  definite('AlreadyExists', {
    title: '409 of something called quota',
    answer: () => json(cloud('ConflictError', 'Instance quota-service already exists'), 409),
    details: known('ConflictError'),
  }),
  definite('InvalidRequest', {
    title: '400 that names a field called quota',
    answer: () => json(cloud('ValidationError', 'tags: "quota" is reserved'), 400),
    details: known('ValidationError'),
  }),
  definite('Unauthorized', {
    title: '403 about a role',
    answer: () => json(cloud('ForbiddenError', 'This API is not available for your role'), 403),
    details: known('ForbiddenError'),
  }),
  definite('QuotaExceeded', {
    title: '500 with the class of a quota',
    answer: () => json(cloud('QuotaLimitExceed', 'Quota limit for volume_size'), 500),
    details: known('QuotaLimitExceed'),
  }),
  definite('InvalidRequest', {
    title: '400 with invalid fields',
    answer: () =>
      json(
        {
          ...cloud('ValidationError', 'Bad request'),
          invalid_fields: { volumes: ['Field required'], 'tags.a': ['too short', 'too odd'] },
        },
        400,
      ),
    details: {
      ...known('ValidationError'),
      faults: [
        { path: 'volumes', message: 'Field required' },
        { path: 'tags.a', message: 'too short, too odd' },
      ],
    },
  }),
  definite('InvalidRequest', {
    title: '400 without a body',
    answer: () => new Response(null, { status: 400 }),
  }),
  definite('InvalidRequest', {
    title: '405',
    answer: () => json(cloud('HTTPError', 'Method not allowed'), 405),
    details: known('HTTPError'),
  }),
  definite('InvalidRequest', {
    title: '422 by field',
    answer: () => json({ errors: { name: ["can't be blank"] } }, 422),
    details: { faults: [{ path: 'name', message: "can't be blank" }] },
  }),
  definite('Unauthorized', {
    title: '401 without credentials',
    answer: () =>
      json(cloud('not_authenticated', 'Authentication credentials were not provided.'), 401),
    details: known('not_authenticated'),
  }),
  definite('Unauthorized', {
    title: '401 without a body',
    answer: () => new Response('', { status: 401 }),
  }),
  definite('Unauthorized', {
    title: '403 about permission',
    answer: () => json(cloud('ForbiddenError', 'You do not have permission to do this'), 403),
    details: known('ForbiddenError'),
  }),
  definite('CapacityUnavailable', {
    title: '403 about a flavor',
    answer: () => json(cloud('ForbiddenError', 'Flavor g2-standard-2-4 cannot be used now'), 403),
    details: known('ForbiddenError'),
  }),
  definite('CapacityUnavailable', {
    title: '403 about capacity',
    answer: () => json(cloud('ForbiddenError', 'Not enough resources in the region'), 403),
    details: known('ForbiddenError'),
  }),
  definite('QuotaExceeded', {
    title: '403 about a quota, by its class',
    answer: () => json(cloud('QuotaLimitExceed', 'Limit of cpu_count is 8'), 403),
    details: known('QuotaLimitExceed'),
  }),
  definite('QuotaExceeded', {
    title: '400 about a quota, by its text',
    answer: () => json({ message: 'Quota limit for volume_size exceeded by 20' }, 400),
  }),
  definite('NotFound', {
    title: '404',
    answer: () => json(cloud('NotFoundError', 'Instance not found'), 404),
    details: known('NotFoundError'),
  }),
  definite('NotFound', {
    title: '404 without a body',
    answer: () => new Response(null, { status: 404 }),
  }),
  definite('NotFound', { title: '410', answer: () => json({}, 410) }),
  definite('AlreadyExists', {
    title: '409 about something that exists',
    answer: () => json(cloud('ConflictError', 'Name already exists'), 409),
    details: known('ConflictError'),
  }),
  definite('ResourceBusy', {
    title: '409 about a lock',
    answer: () => json(cloud('ConflictError', 'Instance is locked by task t-1'), 409),
    details: known('ConflictError'),
  }),
  definite('ServiceUnavailable', {
    title: '425',
    answer: () => new Response(null, { status: 425 }),
  }),
  definite('RateLimited', {
    title: '429',
    answer: () => json({ error: 'Too many requests' }, 429),
  }),
  definite('RateLimited', {
    title: '429 of a gateway',
    answer: () => new Response('slow down', { status: 429 }),
  }),
  definite('RateLimited', {
    title: '400 of a full queue',
    answer: () => json({ error: 'Queue limit reached (100), try later' }, 400),
  }),
];

/** The answer does not say whether the API carried out the call. */
const UNCLEAR: FailureRow[] = [
  ...[408, 500, 501, 502, 503, 504, 520].map((status): FailureRow => ({
    title: `${status}`,
    answer: () => json(cloud('HTTPError', 'Something went wrong'), status),
    read: 'ServiceUnavailable',
    mutation: 'OutcomeUnknown',
    details: known('HTTPError'),
  })),
  {
    title: '500 whose text names a quota',
    answer: () => json({ message: 'The quota service is away' }, 500),
    read: 'ServiceUnavailable',
    mutation: 'OutcomeUnknown',
  },
  {
    title: '502 with a page of a gateway',
    answer: () => new Response('<html>Bad Gateway</html>', { status: 502 }),
    read: 'ServiceUnavailable',
    mutation: 'OutcomeUnknown',
  },
  ...[404, 410].map((status): FailureRow => ({
    title: `${status} with a page of a proxy that does not find the API`,
    answer: () => new Response('\n<html>404 Not Found</html>', { status }),
    read: 'ServiceUnavailable',
    mutation: 'OutcomeUnknown',
  })),
  ...[301, 302, 307, 304].map((status): FailureRow => ({
    title: `${status}`,
    answer: () => new Response(null, { status, headers: { location: 'https://x.example.test/' } }),
    read: 'UnexpectedResponse',
    mutation: 'OutcomeUnknown',
  })),
  ...[
    ['truncated JSON', '{"tasks":["task-'],
    ['a page of a gateway', '<!doctype html><title>Welcome</title>'],
    ['an empty body', ''],
    ['null', 'null'],
    ['an array', '["task-1"]'],
    ['another object', '{"task":"task-1"}'],
    ['an error under a 200', '{"message":"failed"}'],
  ].map(([title = '', body = '']): FailureRow => ({
    title: `200 with ${title}`,
    answer: () => new Response(body, { status: 200 }),
    read: 'UnexpectedResponse',
    mutation: 'OutcomeUnknown',
  })),
  {
    title: '204',
    answer: () => new Response(null, { status: 204 }),
    read: 'UnexpectedResponse',
    mutation: 'OutcomeUnknown',
  },
];

export const FAILURE_ROWS = [...REFUSALS, ...UNCLEAR];
