import { describe, expect, it } from '@jest/globals';

import { paths } from '../../src/contract/wire/paths.js';
import { Operation } from '../../src/contract/wire/names.js';
import { derivedCalls } from './derived-calls.js';
import {
  patternOf,
  type DocumentedCall,
  readDocumentedCalls,
  undocumentedCalls,
} from '../support/http/documented-calls.js';

const calls = readDocumentedCalls();
/** A place, an id and a number in one. */
const ANY = { projectId: 1, regionId: 2, toString: () => '3' };

/** Paths as the product builds them. */
const known = Object.values(paths).map((path) => String(Reflect.apply(path, undefined, [ANY, 4])));

function pathsOf(call: string): string[] {
  const pattern = patternOf(call.replace(/^[A-Z]+ /, ''));
  return known.filter((path) => pattern.test(path));
}

/** The watcher lists the tasks of all runs that wait. */
const WATCHER_CALLS = ['GET /cloud/v1/tasks'];

/** What the code of an operation can call, and the page does not grant to it. */
function lacking(operation: Operation, granted: readonly DocumentedCall[]): string[] {
  const patterns = granted
    .filter(({ section }) => section === operation)
    .map(({ call }) => patternOf(call));
  return derivedCalls(operation).filter((call) => !patterns.some((pattern) => pattern.test(call)));
}

describe('docs/key-scopes.md', () => {
  it('has a table for each operation', () => {
    const sections = new Set(calls.map(({ section }) => section));

    expect([...sections]).toEqual(expect.arrayContaining(Object.values(Operation)));
  });

  it.each(known)('names who calls %s', (path) => {
    expect(calls.filter(({ call }) => pathsOf(call).includes(path))).not.toEqual([]);
  });

  it.each(calls)('grants nothing that the code does not have: $section: $call', ({ call }) => {
    expect(pathsOf(call)).not.toEqual([]);
  });
});

describe('the calls that the code of an operation can make', () => {
  it.each(Object.values(Operation))('are all on the page: %s', (operation) => {
    expect(lacking(operation, calls)).toEqual([]);
  });

  it.each(Object.values(Operation))('are all that the page grants: %s', (operation) => {
    const made = [...derivedCalls(operation), ...WATCHER_CALLS];
    const granted = calls.filter(({ section }) => section === operation);

    const unused = granted.filter(({ call }) => !made.some((one) => patternOf(call).test(one)));

    expect(unused).toEqual([]);
  });

  it('include those that only a rollback makes', () => {
    const { provisionInstance } = Operation;
    const isRow = ({ section, call }: DocumentedCall) =>
      section === provisionInstance && /^DELETE .*\/ddos\/profiles\//.test(call);

    const missed = lacking(
      provisionInstance,
      calls.filter((row) => !isRow(row)),
    );

    expect(missed).toEqual(['DELETE /cloud/v1/ddos/profiles/1/2/4']);
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
