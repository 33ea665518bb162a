import { describe, expect, it } from '@jest/globals';

import { Operation } from '../../src/contract/wire/names.js';
import { readDocumentedCalls, undocumentedCalls } from '../support/http/documented-calls.js';
import { derivedCalls } from './derived-calls.js';
import { PARTICULAR } from './key-scopes-page.js';
import { pathsOfApi } from './paths-of-api.js';

const calls = readDocumentedCalls();
const granted = new Set(calls.map(({ call }) => call));
const known = [...pathsOfApi().values()].flatMap(({ path, reasons }) =>
  [...reasons.keys()].map((method) => `${method} ${path}`),
);
const particular = Object.entries(PARTICULAR).flatMap(([operation, reasons]) =>
  Object.keys(reasons).map((call) => ({ section: operation, call })),
);

describe('docs/key-scopes.md', () => {
  it('has each call that src/contract/wire/paths.ts explains, and no other', () => {
    expect([...granted].sort()).toEqual([...known].sort());
  });

  it('has each call that an operation makes for a reason of its own', () => {
    expect(calls).toEqual(expect.arrayContaining(particular));
  });
});

describe('the calls that the code of an operation can make', () => {
  it('include those that only a rollback makes', () => {
    expect(derivedCalls(Operation.provisionInstance)).toContain(
      'DELETE /cloud/v1/ddos/profiles/{project}/{region}/{id}',
    );
  });
});

describe('a call of a run', () => {
  const sent = (method: string, path: string, run: string) => ({
    method,
    path,
    userAgent: `gcore-workflows/1.0 (${run})`,
  });
  const operations = new Map([['mine', Operation.listSshKeys]]);

  it.each([
    ['that its operation has', sent('GET', '/storage/v4/ssh_keys', 'mine'), []],
    ['of the watcher', { method: 'GET', path: '/cloud/v1/tasks' }, []],
    [
      'that another operation has',
      sent('GET', '/cloud/v1/tasks', 'mine'),
      ['listSshKeys: GET /cloud/v1/tasks'],
    ],
    [
      'of a child, by the prefix of its id',
      sent('DELETE', '/storage/v4/ssh_keys', 'protect-ip/blue/1.2.3.4'),
      ['protectIp: DELETE /storage/v4/ssh_keys'],
    ],
    [
      'with another method',
      sent('DELETE', '/storage/v4/ssh_keys', 'mine'),
      ['listSshKeys: DELETE /storage/v4/ssh_keys'],
    ],
  ])('is judged by the page: one %s', (_what, request, found) => {
    expect(undocumentedCalls([request], operations)).toEqual(found);
  });
});
