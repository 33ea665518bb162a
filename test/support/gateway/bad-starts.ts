import { provisionInput } from '../inputs/provision-input.js';

export interface BadRequest {
  name: string;
  method?: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Instead of JSON and a key. */
  bare?: boolean;
  status: number;
  code: string;
  /** Pointers and parameters of the faults, where the problem has some. */
  faults?: string[];
}

const input = provisionInput();
const deep = '['.repeat(101) + ']'.repeat(101);
const huge = { instance: { name: 'x'.repeat(2_200_000) } };

/** Requests to start a run, each with one thing that is wrong. */
export const BAD_STARTS: readonly Omit<BadRequest, 'path'>[] = [
  { name: 'an empty body', body: '', status: 400, code: 'BadRequest', faults: [''] },
  { name: 'half of a body', body: '{"instance":', status: 400, code: 'BadRequest', faults: [''] },
  { name: 'a comment', body: '/* x */ {}', status: 400, code: 'BadRequest', faults: [''] },
  {
    name: 'a trailing comma',
    body: '{"regionId":1,}',
    status: 400,
    code: 'BadRequest',
    faults: [''],
  },
  { name: 'two documents', body: '{} {}', status: 400, code: 'BadRequest', faults: [''] },
  {
    name: 'a name twice',
    body: '{"regionId":1,"regionId":2}',
    status: 400,
    code: 'BadRequest',
    faults: ['/regionId'],
  },
  {
    name: 'a name twice, far below',
    body: '{"instance":{"volumes":[{"size":1,"size":2}]}}',
    status: 400,
    code: 'BadRequest',
    faults: ['/instance/volumes/0/size'],
  },
  { name: 'a deep body', body: deep, status: 400, code: 'BadRequest', faults: [''] },
  { name: 'a very deep body', body: '['.repeat(1_000_000), status: 400, code: 'BadRequest' },
  { name: 'a list', body: [], status: 400, code: 'InvalidInput', faults: [''] },
  { name: 'null', body: null, status: 400, code: 'InvalidInput', faults: [''] },
  { name: 'a text', body: '"x"', status: 400, code: 'InvalidInput', faults: [''] },
  { name: 'a number', body: '1', status: 400, code: 'InvalidInput', faults: [''] },
  {
    name: 'an object without anything',
    body: {},
    status: 400,
    code: 'InvalidInput',
    faults: ['/instance'],
  },
  {
    name: 'an unknown field',
    body: { ...input, password: 'hunter2-canary' },
    status: 400,
    code: 'InvalidInput',
    faults: ['/password'],
  },
  {
    name: 'a field of another type',
    body: { ...input, regionId: 'one' },
    status: 400,
    code: 'InvalidInput',
    faults: ['/regionId'],
  },
  {
    name: 'an endless number',
    body: '{"regionId":1e400}',
    status: 400,
    code: 'InvalidInput',
    faults: ['/instance', '/regionId'],
  },
  {
    name: 'two faults',
    body: { ...input, regionId: -1, deadline: 'soon' },
    status: 400,
    code: 'InvalidInput',
    faults: ['/deadline', '/regionId'],
  },
  {
    name: 'an account that is no name',
    body: { ...input, account: '../other' },
    status: 400,
    code: 'InvalidInput',
    faults: ['/account'],
  },
  {
    name: 'a plan',
    body: { ...input, planOnly: true },
    status: 400,
    code: 'InvalidInput',
    faults: ['/planOnly'],
  },
  {
    name: 'a secret in clear',
    body: { ...input, instance: { ...input.instance, password: 'hunter2-canary' } },
    status: 400,
    code: 'InvalidInput',
    faults: ['/instance/password'],
  },
  {
    name: 'a prototype',
    body: '{"__proto__":{"instance":{}}}',
    status: 400,
    code: 'InvalidInput',
  },
  { name: 'a large body', body: huge, status: 413, code: 'TooLarge' },
  {
    name: 'a form',
    body: 'a=1',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    status: 415,
    code: 'UnsupportedMediaType',
    faults: ['Content-Type'],
  },
  {
    name: 'plain text',
    body: input,
    headers: { 'Content-Type': 'text/plain' },
    status: 415,
    code: 'UnsupportedMediaType',
    faults: ['Content-Type'],
  },
  {
    name: 'another charset',
    body: input,
    headers: { 'Content-Type': 'application/json; charset=latin1' },
    status: 415,
    code: 'UnsupportedMediaType',
    faults: ['Content-Type'],
  },
  {
    name: 'another kind of JSON',
    body: input,
    headers: { 'Content-Type': 'application/merge-patch+json' },
    status: 415,
    code: 'UnsupportedMediaType',
    faults: ['Content-Type'],
  },
  ...['gzip', 'br', 'deflate', 'zstd', 'gzip, identity'].map((encoding) => ({
    name: `a body in ${encoding}`,
    body: input,
    headers: { 'Content-Encoding': encoding },
    status: 415,
    code: 'UnsupportedMediaType',
    faults: ['Content-Encoding'],
  })),
  {
    name: 'no key',
    body: input,
    bare: true,
    headers: { 'Content-Type': 'application/json' },
    status: 400,
    code: 'BadRequest',
    faults: ['Idempotency-Key'],
  },
  ...['', '""', 'a b', 'ä', 'a'.repeat(256)].map((key) => ({
    name: `the key "${key.slice(0, 8)}"`,
    body: input,
    headers: { 'Idempotency-Key': key },
    status: 400,
    code: 'BadRequest',
    faults: ['Idempotency-Key'],
  })),
];
