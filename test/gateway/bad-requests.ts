import { provisionInput } from '../support/inputs/provision-input.js';

export interface BadRequest extends Refusal {
  name: string;
  method?: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Instead of JSON and a key. */
  bare?: boolean;
}

interface Refusal {
  status: number;
  code: string;
  /** Pointers and parameters of the faults, where the problem has some. */
  faults?: string[];
}

const refusal =
  (status: number, code: string) =>
  (...faults: string[]): Refusal =>
    faults.length === 0 ? { status, code } : { status, code, faults };
const malformed = refusal(400, 'BadRequest');
const invalid = refusal(400, 'InvalidInput');
const unsupported = refusal(415, 'UnsupportedMediaType');
const noRun = refusal(404, 'RunNotFound');
const noPath = refusal(404, 'NoSuchPath');

const RUN = '/v1/runs/provisionInstance';
const input = provisionInput();
const id = 'provision-instance%2Fdefault%2Fno-such-order';
const huge = { instance: { name: 'x'.repeat(2_200_000) } };
const deep = '['.repeat(101) + ']'.repeat(101);
const secret = { ...input, instance: { ...input.instance, password: 'hunter2-canary' } };

/** Bodies of a request to start a run, each with one thing that is wrong. */
const BODIES: readonly (readonly [name: string, body: unknown, Refusal])[] = [
  ['an empty body', '', malformed('')],
  ['half of a body', '{"instance":', malformed('')],
  ['a comment', '/* x */ {}', malformed('')],
  ['a trailing comma', '{"regionId":1,}', malformed('')],
  ['two documents', '{} {}', malformed('')],
  ['a name twice', '{"regionId":1,"regionId":2}', malformed('/regionId')],
  [
    'a name twice, far below',
    '{"instance":{"volumes":[{"size":1,"size":2}]}}',
    malformed('/instance/volumes/0/size'),
  ],
  ['a deep body', deep, malformed('')],
  ['a very deep body', '['.repeat(1_000_000), malformed()],
  ['a list', [], invalid('')],
  ['null', null, invalid('')],
  ['a text', '"x"', invalid('')],
  ['a number', '1', invalid('')],
  ['an object without anything', {}, invalid('/instance')],
  ['an unknown field', { ...input, password: 'hunter2-canary' }, invalid('/password')],
  ['a field of another type', { ...input, regionId: 'one' }, invalid('/regionId')],
  ['an endless number', '{"regionId":1e400}', invalid('/instance', '/regionId')],
  ['two faults', { ...input, regionId: -1, deadline: 'soon' }, invalid('/deadline', '/regionId')],
  ['an account that is no name', { ...input, account: '../other' }, invalid('/account')],
  ['a plan', { ...input, planOnly: true }, invalid('/planOnly')],
  ['a secret in clear', secret, invalid('/instance/password')],
  ['a prototype', '{"__proto__":{"instance":{}}}', invalid()],
  ['a large body', huge, refusal(413, 'TooLarge')()],
];

/** The same for its headers: the fault is the name of the header. */
const HEADERS: readonly (readonly [name: string, header: string, value: string, body?: unknown])[] =
  [
    ['a form', 'Content-Type', 'application/x-www-form-urlencoded', 'a=1'],
    ['plain text', 'Content-Type', 'text/plain'],
    ['another charset', 'Content-Type', 'application/json; charset=latin1'],
    ['another kind of JSON', 'Content-Type', 'application/merge-patch+json'],
    ...['gzip', 'br', 'deflate', 'zstd', 'gzip, identity'].map(
      (encoding) => [`a body in ${encoding}`, 'Content-Encoding', encoding] as const,
    ),
    ...['', '""', 'a b', 'ä', 'a'.repeat(256)].map(
      (key) => [`the key "${key.slice(0, 8)}"`, 'Idempotency-Key', key] as const,
    ),
  ];

const STARTS: readonly Omit<BadRequest, 'path'>[] = [
  ...BODIES.map(([name, body, refused]) => ({ name, body, ...refused })),
  ...HEADERS.map(([name, header, value, body = input]) => ({
    name,
    body,
    headers: { [header]: value },
    ...(header === 'Idempotency-Key' ? malformed(header) : unsupported(header)),
  })),
  {
    name: 'no key',
    body: input,
    bare: true,
    headers: { 'Content-Type': 'application/json' },
    ...malformed('Idempotency-Key'),
  },
];

/** Each names its own fault. */
const queriesOf = (name: string, path: string, queries: readonly string[]): BadRequest[] =>
  queries.map((query) => ({
    name: `${name} with ${query}`,
    path: `${path}?${query}`,
    ...malformed(query.split('=')[0] ?? ''),
  }));

const START_QUERIES = [
  'onConflict=maybe',
  'urgency=now',
  'dryRun=1',
  'urgency=bulk&urgency=normal',
];
const RESULT_QUERIES = ['wait=forever', 'wait=10', 'wait=1h', 'wait=1s&wait=2s', 'waits=1s'];
const LIST_QUERIES = [
  ...['phase=waiting', 'phase=done', 'operation=dropTables', 'limit=0', 'limit=1001', 'limit=ten'],
  ...['page=%21', 'page=bm8', 'page=AAAAAAAAAAAAAAAAAAAA', 'resource=%22%20OR%20%22'],
  ...['query=WorkflowId%3D1', 'account=a%22b', 'since=yesterday', 'open=yes'],
];

const READS: readonly BadRequest[] = [
  ...queriesOf('the result', `/v1/runs/${id}/result`, RESULT_QUERIES),
  ...queriesOf('a list', '/v1/runs', LIST_QUERIES),
  ...['%ff', '%zz', 'a%00b', 'a%0d%0ab', 'a'.repeat(1_001)].map((segment) => ({
    name: `the id ${segment.slice(0, 10)}`,
    path: `/v1/runs/${segment}`,
    ...malformed('id'),
  })),
  ...['', '/result', '/events', '/explanation', '/report'].map((what) => ({
    name: `${what || 'the status'} of a run that does not exist`,
    path: `/v1/runs/${id}${what}`,
    ...noRun(),
  })),
  { name: 'an id in several segments', path: '/v1/runs/a/b/c/d', ...noPath() },
  { name: 'a path that climbs', path: '/v1/runs/%2e%2e/%2e%2e/etc', ...noPath() },
  { name: 'an unknown path', path: '/v2/runs', ...noPath() },
  {
    name: 'an unknown schema',
    path: '/schemas/..%2Fpackage.json',
    ...refusal(404, 'NoSuchSchema')(),
  },
];

const ACTIONS: readonly (readonly [action: string, body: unknown, fault: string])[] = [
  ['pause', { now: true }, '/now'],
  ['resume', { inputs: {} }, '/inputs'],
  ['abort', { reason: 1 }, '/reason'],
  ['abort', { reason: 'x'.repeat(1_001) }, '/reason'],
  ['extend', {}, '/holdFor'],
  ['extend', { holdFor: '2' }, '/holdFor'],
  ['cancel', [], ''],
];

const POSTS: readonly BadRequest[] = [
  ...STARTS.map(({ name, ...start }) => ({ ...start, path: RUN, name: `a start with ${name}` })),
  ...queriesOf('a start', RUN, START_QUERIES).map((start) => ({ ...start, body: input })),
  {
    name: 'a plan with a fault',
    path: '/v1/plans/provisionInstance',
    body: { ...input, regionId: 'one' },
    ...invalid('/regionId'),
  },
  ...['provision-instance', 'constructor', '__proto__', 'holdTurn'].map((operation) => ({
    name: `a start of ${operation}`,
    path: `/v1/runs/${operation}`,
    body: {},
    ...refusal(404, 'UnknownOperation')(),
  })),
  ...['pause', 'resume', 'abort', 'restore', 'cancel'].map((action) => ({
    name: `${action} of a run that does not exist`,
    path: `/v1/runs/${id}/${action}`,
    body: {},
    ...noRun(),
  })),
  ...ACTIONS.map(([action, body, fault]) => ({
    name: `${action} with ${JSON.stringify(body)}`,
    path: `/v1/runs/${id}/${action}`,
    body,
    ...invalid(fault),
  })),
];

export const BAD_REQUESTS: readonly BadRequest[] = [
  ...POSTS.map((post) => ({ ...post, method: 'POST' })),
  ...READS,
  ...['PUT', 'DELETE'].map((method) => ({
    name: `a ${method}`,
    method,
    path: `/v1/runs/${id}`,
    ...refusal(405, 'MethodNotAllowed')(),
  })),
];
