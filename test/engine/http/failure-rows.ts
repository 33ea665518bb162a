import type { FailureType } from '../../../src/engine/core/failures.js';
import { json } from '../../support/http/scripted-api.js';

/** One row of the failure table: an answer, and its failure type for a read and for a mutation. */
interface FailureRow {
  title: string;
  answer: () => Response;
  read: FailureType;
  mutation: FailureType;
  /** Further fields of the details, beside method, path, status and advice. */
  details?: Record<string, unknown>;
}

/** The cloud's form of an error, and what the details say of it. */
const cloud = (
  status: number,
  code: string,
  message: string,
): Pick<FailureRow, 'title' | 'answer' | 'details'> => ({
  title: `${status} ${code}: ${message}`,
  answer: () => json({ exception_class: code, message, request_id: 'req-1' }, status),
  details: { code, requestId: 'req-1' },
});
const bare = (title: string, status: number, body: string | null = null) => ({
  title,
  answer: () => new Response(body, { status }),
});
const other = (title: string, status: number, body: object) => ({
  title,
  answer: () => json(body, status),
});

/** The same failure whether the call was a read or a mutation. */
const definite = (
  type: FailureType,
  ...rows: readonly Omit<FailureRow, 'read' | 'mutation'>[]
): FailureRow[] => rows.map((row) => ({ ...row, read: type, mutation: type }));

const INVALID_FIELDS = { volumes: ['Field required'], 'tags.a': ['too short', 'too odd'] };

/** The API refuses the call and does nothing. */
const REFUSALS: FailureRow[] = [
  ...definite(
    'NotFound',
    cloud(404, 'NotFoundError', 'Instance quota-1 not found'),
    cloud(404, 'NotFoundError', 'Instance not found'),
    bare('404 without a body', 404),
    other('410', 410, {}),
  ),
  ...definite(
    'AlreadyExists',
    cloud(409, 'ConflictError', 'Instance quota-service already exists'),
    cloud(409, 'ConflictError', 'Name already exists'),
  ),
  ...definite(
    'InvalidRequest',
    cloud(400, 'ValidationError', 'tags: "quota" is reserved'),
    cloud(405, 'HTTPError', 'Method not allowed'),
    bare('400 without a body', 400),
    {
      title: '400 with invalid fields',
      answer: () =>
        json(
          {
            exception_class: 'ValidationError',
            message: 'Bad request',
            request_id: 'req-1',
            invalid_fields: INVALID_FIELDS,
          },
          400,
        ),
      details: {
        code: 'ValidationError',
        requestId: 'req-1',
        faults: [
          { path: 'volumes', message: 'Field required' },
          { path: 'tags.a', message: 'too short, too odd' },
        ],
      },
    },
    {
      ...other('422 by field', 422, { errors: { name: ["can't be blank"] } }),
      details: { faults: [{ path: 'name', message: "can't be blank" }] },
    },
  ),
  ...definite(
    'Unauthorized',
    cloud(401, 'not_authenticated', 'Authentication credentials were not provided.'),
    bare('401 without a body', 401, ''),
    cloud(403, 'ForbiddenError', 'You do not have permission to do this'),
    cloud(403, 'ForbiddenError', 'This API is not available for your role'),
  ),
  ...definite(
    'CapacityUnavailable',
    cloud(403, 'ForbiddenError', 'Flavor g2-standard-2-4 cannot be used now'),
    cloud(403, 'ForbiddenError', 'Not enough resources in the region'),
  ),
  ...definite(
    'QuotaExceeded',
    cloud(500, 'QuotaLimitExceed', 'Quota limit for volume_size'),
    cloud(403, 'QuotaLimitExceed', 'Limit of cpu_count is 8'),
    other('400 about a quota, by its text', 400, {
      message: 'Quota limit for volume_size exceeded by 20',
    }),
  ),
  ...definite('ResourceBusy', cloud(409, 'ConflictError', 'Instance is locked by task t-1')),
  ...definite('ServiceUnavailable', bare('425', 425)),
  ...definite(
    'RateLimited',
    other('429', 429, { error: 'Too many requests' }),
    bare('429 of a gateway', 429, 'slow down'),
    other('400 of a full queue', 400, { error: 'Queue limit reached (100), try later' }),
  ),
];

/** The answer does not say whether the API carried out the call. */
const unclear = (
  read: FailureType,
  ...rows: readonly Omit<FailureRow, 'read' | 'mutation'>[]
): FailureRow[] => rows.map((row) => ({ ...row, read, mutation: 'OutcomeUnknown' }));

const UNCLEAR: FailureRow[] = [
  ...unclear(
    'ServiceUnavailable',
    ...[408, 500, 501, 502, 503, 504, 520].map((status) =>
      cloud(status, 'HTTPError', 'Something went wrong'),
    ),
    other('500 whose text names a quota', 500, { message: 'The quota service is away' }),
    bare('502 with a page of a gateway', 502, '<html>Bad Gateway</html>'),
    ...[404, 410].map((status) =>
      bare(
        `${status} with a page of a proxy that does not find the API`,
        status,
        '\n<html>404 Not Found</html>',
      ),
    ),
  ),
  ...unclear(
    'UnexpectedResponse',
    ...[301, 302, 307, 304].map((status) => ({
      title: `${status}`,
      answer: () =>
        new Response(null, { status, headers: { location: 'https://x.example.test/' } }),
    })),
    bare('200 with truncated JSON', 200, '{"tasks":["task-'),
    bare('200 with a page of a gateway', 200, '<!doctype html><title>Welcome</title>'),
    bare('200 with an empty body', 200, ''),
    bare('200 with null', 200, 'null'),
    bare('200 with an array', 200, '["task-1"]'),
    bare('200 with another object', 200, '{"task":"task-1"}'),
    bare('200 with an error under a 200', 200, '{"message":"failed"}'),
    bare('204', 204),
  ),
];

export const FAILURE_ROWS = [...REFUSALS, ...UNCLEAR];
