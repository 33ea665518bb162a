import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';

import { createGcoreWorkflows } from '../../src/client/index.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import type { GatewayApp } from '../../src/gateway/gateway-context.js';

/** A method and a path, such as `POST /v1/uploads/runBatch`. In the place of a token is `:token`. */
export type Route = string;

export interface Credentials {
  name: string;
  token?: string;
  /** Of a reader who has signed in. */
  cookie?: string;
}

/** A gateway that serves nobody. */
export function idleGateway(): GatewayApp {
  const client = new Client({ connection: Connection.lazy() });
  return createGateway({ gcore: createGcoreWorkflows({ client, taskQueue: 'none' }) });
}

/** What stands in the place of a part of a path, where the document does not say what may. */
const PARTS: Readonly<Record<string, string>> = {
  operation: 'noSuchOperation',
  id: 'provision-instance%2Fdefault%2Fno-such-order',
  account: 'default',
  token: ':token',
  file: 'problem.json',
  sha256: '0'.repeat(64),
  name: 'no-worker',
  action: 'abort',
};

const parameterSchema = z.looseObject({
  name: z.string(),
  schema: z.looseObject({ enum: z.array(z.string()).optional() }),
});
const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ parameters: z.array(parameterSchema).default([]) })),
  ),
});

/**
 * All that a gateway serves, with each value that a part of a path may have.
 * @throws for a part that the document says nothing of, and that nobody has thought of
 */
export async function routesOf(app: GatewayApp): Promise<Route[]> {
  const { paths } = documentSchema.parse(await (await app.request('/openapi.json')).json());
  const valuesOf = (method: string, path: string, name: string): readonly string[] => {
    const { parameters = [] } = paths[named(path)]?.[method.toLowerCase()] ?? {};
    const values = parameters.find((each) => each.name === name)?.schema.enum ?? [PARTS[name]];
    return values.map((value) => {
      if (value === undefined) throw new Error(`no request for ${path}: add :${name} to PARTS`);
      return value;
    });
  };
  const served = app.routes.filter(({ method }) => method !== 'ALL');
  const routes = served.flatMap(({ method, path }) => {
    const names = path.split('/').flatMap((part) => /^:(\w+)$/.exec(part)?.[1] ?? []);
    return names.reduce(
      (some, name) =>
        valuesOf(method, path, name).flatMap((value) =>
          some.map((each) => each.replace(`:${name}`, value)),
        ),
      [`${method} ${path}`],
    );
  });
  return [...new Set(routes)];
}

const named = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');

function typeOf(route: Route): string {
  if (route.includes('/uploads/')) return 'application/x-ndjson';
  return /\/(?:v1|hooks)\//.test(route) ? 'application/json' : 'application/x-www-form-urlencoded';
}

/** The head of a request, up to its empty line. */
export function headOf(
  route: Route,
  { token, cookie }: Credentials,
  more: Readonly<Record<string, string | number>> = {},
): string {
  const headers = {
    Host: '127.0.0.1',
    'Content-Type': typeOf(route),
    'Idempotency-Key': 'a',
    'Sec-Fetch-Site': 'same-origin',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(cookie !== undefined && { Cookie: cookie }),
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${route.replace(':token', token ?? 'none')} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** A small request, which starts nothing. */
export function smallRequest(route: Route, credentials: Credentials): string {
  if (!route.startsWith('POST')) return headOf(route, credentials);
  const body = '{"x":1}';
  return headOf(route, credentials, { 'Content-Length': body.length }) + body;
}
