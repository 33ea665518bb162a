import { provisionInput } from '../inputs/provision-input.js';
import { BAD_STARTS, type BadRequest } from './bad-starts.js';

const RUN = '/v1/runs/provisionInstance';
const input = provisionInput();
const id = 'provision-instance%2Fdefault%2Fno-such-order';

const QUERIES = [
  ['onConflict=maybe', 'onConflict'],
  ['urgency=now', 'urgency'],
  ['dryRun=1', 'dryRun'],
  ['urgency=bulk&urgency=normal', 'urgency'],
] as const;

const READS: BadRequest[] = [
  ...[
    ['wait=forever', 'wait'],
    ['wait=10', 'wait'],
    ['wait=1h', 'wait'],
    ['wait=1s&wait=2s', 'wait'],
    ['waits=1s', 'waits'],
  ].map(([query = '', fault = '']) => ({
    name: `the result with ${query}`,
    path: `/v1/runs/${id}/result?${query}`,
    status: 400,
    code: 'BadRequest',
    faults: [fault],
  })),
  ...[
    ['phase=waiting', 'phase'],
    ['phase=done', 'phase'],
    ['operation=dropTables', 'operation'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=ten', 'limit'],
    ['page=%21', 'page'],
    ['page=bm8', 'page'],
    ['resource=%22%20OR%20%22', 'resource'],
    ['query=WorkflowId%3D1', 'query'],
    ['account=a%22b', 'account'],
    ['since=yesterday', 'since'],
    ['open=yes', 'open'],
    ['page=AAAAAAAAAAAAAAAAAAAA', 'page'],
  ].map(([query = '', fault = '']) => ({
    name: `a list with ${query}`,
    path: `/v1/runs?${query}`,
    status: 400,
    code: 'BadRequest',
    faults: [fault],
  })),
  ...['%ff', '%zz', 'a%00b', 'a%0d%0ab', 'a'.repeat(1_001)].map((segment) => ({
    name: `the id ${segment.slice(0, 10)}`,
    path: `/v1/runs/${segment}`,
    status: 400,
    code: 'BadRequest',
    faults: ['id'],
  })),
  ...['', '/result', '/events', '/explanation', '/report'].map((what) => ({
    name: `${what || 'the status'} of a run that does not exist`,
    path: `/v1/runs/${id}${what}`,
    status: 404,
    code: 'RunNotFound',
  })),
  { name: 'an id in several segments', path: '/v1/runs/a/b/c/d', status: 404, code: 'NoSuchPath' },
  {
    name: 'a path that climbs',
    path: '/v1/runs/%2e%2e/%2e%2e/etc',
    status: 404,
    code: 'NoSuchPath',
  },
  {
    name: 'an unknown schema',
    path: '/schemas/..%2Fpackage.json',
    status: 404,
    code: 'NoSuchSchema',
  },
  { name: 'an unknown path', path: '/v2/runs', status: 404, code: 'NoSuchPath' },
];

const BAD_ACTIONS: readonly (readonly [action: string, body: unknown, fault: string])[] = [
  ['pause', { now: true }, '/now'],
  ['resume', { inputs: {} }, '/inputs'],
  ['abort', { reason: 1 }, '/reason'],
  ['abort', { reason: 'x'.repeat(1_001) }, '/reason'],
  ['extend', {}, '/holdFor'],
  ['extend', { holdFor: '2' }, '/holdFor'],
  ['cancel', [], ''],
];

const OTHERS: BadRequest[] = [
  {
    name: 'a plan with a fault',
    method: 'POST',
    path: '/v1/plans/provisionInstance',
    body: { ...input, regionId: 'one' },
    status: 400,
    code: 'InvalidInput',
    faults: ['/regionId'],
  },
  ...['provision-instance', 'constructor', '__proto__', 'holdTurn'].map((operation) => ({
    name: `a start of ${operation}`,
    method: 'POST',
    path: `/v1/runs/${operation}`,
    body: {},
    status: 404,
    code: 'UnknownOperation',
  })),
  { name: 'a PUT', method: 'PUT', path: `/v1/runs/${id}`, status: 405, code: 'MethodNotAllowed' },
  {
    name: 'a DELETE',
    method: 'DELETE',
    path: `/v1/runs/${id}`,
    status: 405,
    code: 'MethodNotAllowed',
  },
  ...['pause', 'resume', 'abort', 'restore', 'cancel'].map((action) => ({
    name: `${action} of a run that does not exist`,
    method: 'POST',
    path: `/v1/runs/${id}/${action}`,
    body: {},
    status: 404,
    code: 'RunNotFound',
  })),
  ...BAD_ACTIONS.map(([action, body, fault]) => ({
    name: `${action} with ${JSON.stringify(body)}`,
    method: 'POST',
    path: `/v1/runs/${id}/${action}`,
    body,
    status: 400,
    code: 'InvalidInput',
    faults: [fault],
  })),
];

export const BAD_REQUESTS: readonly BadRequest[] = [
  ...BAD_STARTS.map((bad) => ({
    ...bad,
    method: 'POST',
    path: RUN,
    name: `a start with ${bad.name}`,
  })),
  ...QUERIES.map(([query, fault]) => ({
    name: `a start with ${query}`,
    method: 'POST',
    path: `${RUN}?${query}`,
    body: input,
    status: 400,
    code: 'BadRequest',
    faults: [fault],
  })),
  ...READS,
  ...OTHERS,
];
