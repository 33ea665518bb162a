import { readFileSync } from 'node:fs';

import { afterAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { AskedFor } from '../../src/engine/core/identity.js';
import { createGateway, endpointsOf } from '../../src/gateway/create-gateway.js';
import { createStatusBoard } from '../../src/gateway/status-board.js';
import { createStreamCap } from '../../src/gateway/stream-cap.js';
import { Scope } from '../../src/tokens/token-file.js';
import { tokensOf } from '../support/gateway/gateway-world.js';

const page = readFileSync('docs/authorisation.md', 'utf8');

/** It never connects. */
const connection = Connection.lazy();
const gcore = createGcoreWorkflows({ client: new Client({ connection }) });
afterAll(() => connection.close());

const parts = {
  gcore,
  board: createStatusBoard(() => Promise.reject(new Error('asked'))),
  streams: createStreamCap({ total: 1, perCaller: 1 }),
  uploads: createStreamCap({ total: 1, perCaller: 1 }),
  audit: () => undefined,
  closing: new AbortController().signal,
};

/** `POST /v1/runs/{operation}` for the route of each operation. */
const served = [
  ...new Set(
    endpointsOf(parts).map(({ route: { method, path }, scope }) => {
      const general = path.replace(/^(\/v1\/(?:runs|plans))\/[A-Za-z]+$/, '$1/{operation}');
      return `${scope} ${method.toUpperCase()} ${general}`;
    }),
  ),
].sort();

const rows = new Map(
  [...page.matchAll(/^\| `(?<scope>\w+)` +\| (?<opens>.*) \|$/gm)].map(({ groups }) => [
    groups?.['scope'] ?? '',
    groups?.['opens'] ?? '',
  ]),
);
const documented = [...rows]
  .flatMap(([scope, opens]) =>
    [...opens.matchAll(/`(?<call>[A-Z]+ \/v1[^`]*)`/g)].map(
      ({ groups }) => `${scope} ${groups?.['call'] ?? ''}`,
    ),
  )
  .sort();

describe('docs/authorisation.md', () => {
  it('has a row for each scope', () => {
    expect([...rows.keys()].sort()).toEqual(Object.values(Scope).sort());
  });

  it('says which scope opens each path of the API, and names no other', () => {
    expect(served.length).toBeGreaterThan(10);
    expect(documented).toEqual(served);
  });

  it('names every path that needs no token', async () => {
    // One that ends asks no Temporal server whether it is ready.
    const closing = AbortSignal.abort();
    const app = createGateway({ gcore, tokens: tokensOf({}), closing });
    const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && !path.includes('*'));
    const open = await Promise.all(
      routes.map(async ({ method, path }) => {
        const { status, headers } = await app.request(`http://localhost${path}`, { method });
        const leads = headers.get('location') ?? '';
        return status === 401 || leads.startsWith('/sign-in') ? [] : [path];
      }),
    );

    const named = ['/livez', '/readyz', '/openapi.json', '/reference', '/sign-in', '/sign-out'];
    const left = [...new Set(open.flat())].filter((path) => !/^\/(?:schemas|assets)\//.test(path));
    expect(left.sort()).toEqual(named.sort());
    for (const path of named.filter((name) => !name.startsWith('/sign-'))) {
      expect(page).toContain(`\`${path}\``);
    }
  });

  it('names everything that can be asked of a run', () => {
    const words: string[] = Object.values(AskedFor).filter((what) => what !== AskedFor.retry);

    expect(words.filter((word) => !page.includes(word))).toEqual([]);
  });
});
