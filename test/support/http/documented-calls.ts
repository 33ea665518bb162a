import { readFileSync } from 'node:fs';

import { Operation } from '../../../src/contract/wire/names.js';
import type { LoggedRequest } from '../../../src/simulator/index.js';

const PAGE = 'docs/key-scopes.md';

/** A call of the API as the page writes it: `GET /cloud/v1/tasks/{task}`. */
export interface DocumentedCall {
  /** An operation, or another title of the page. */
  section: string;
  call: string;
}

export function readDocumentedCalls(page = readFileSync(PAGE, 'utf8')): DocumentedCall[] {
  return page.split(/^### /m).flatMap((text) => {
    const section = text.split('\n')[0] ?? '';
    const rows = text.matchAll(/^\| `(?<call>[A-Z]+ \/[^`]*)` +\|/gm);
    return [...rows].map(({ groups }) => ({ section, call: groups?.['call'] ?? '' }));
  });
}

/** A key whose rights follow the page must suffice for every run of every test. */
export function refuseUndocumentedCalls(...of: Parameters<typeof undocumentedCalls>): void {
  const calls = undocumentedCalls(...of);
  if (calls.length > 0) throw new Error(`${PAGE} lacks: ${calls.join(', ')}`);
}

type Sent = Pick<LoggedRequest, 'method' | 'path' | 'userAgent'>;

/** What `callApi` calls in tests. */
const VOLUME = /^\/cloud\/v1\/volumes\//;

let documented: ReadonlyMap<string, readonly RegExp[]> | undefined;

/** Calls of runs that the page does not grant to their operation. @param operations by the Workflow Ids of the test */
export function undocumentedCalls(
  requests: readonly Sent[],
  operations: ReadonlyMap<string, Operation>,
): string[] {
  documented ??= toPatterns(readDocumentedCalls());
  const known = documented;
  const found = requests.flatMap(({ method, path, userAgent = '' }) => {
    const workflowId = /\((.*)\)$/.exec(userAgent)?.[1] ?? '';
    const operation = operations.get(workflowId) ?? operationOfId(workflowId);
    if (operation === undefined) return [];
    // What its input names, its worker has granted: the page says so below the table.
    if (operation === Operation.callApi && VOLUME.test(path)) return [];
    const isKnown = known.get(operation)?.some((pattern) => pattern.test(`${method} ${path}`));
    return isKnown === true ? [] : [`${operation}: ${method} ${path}`];
  });
  return [...new Set(found)];
}

function toPatterns(calls: readonly DocumentedCall[]): Map<string, RegExp[]> {
  const patterns = new Map<string, RegExp[]>();
  for (const { section, call } of calls) {
    patterns.set(section, [...(patterns.get(section) ?? []), patternOf(call)]);
  }
  return patterns;
}

/** `{id}` stands for one segment. */
function patternOf(call: string): RegExp {
  return new RegExp(`^${call.replaceAll(/\{[a-z]+\}/g, '[^/]+')}$`);
}

/** A child run, or one that the client has started, has the prefix of its operation. */
function operationOfId(workflowId: string): Operation | undefined {
  const [prefix = ''] = workflowId.replace(/^plan\//, '').split('/');
  const name = prefix.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.values(Operation).find((operation) => operation === name);
}
