import { z, type OpenAPIHono } from '@hono/zod-openapi';

import { planSchema } from '../../contract/index.js';
import { videoDetailsSchema } from '../../contract/video-details.js';
import { IMPORTED_STATES } from '../../contract/wire/videos.js';
import { jsonSchemas } from '../../contract/json-schemas.js';
import type { GatewayApp } from '../gateway-context.js';
import { problemSchema, ProblemError } from '../problem.js';
import { publicDocument } from '../public-document.js';
import { Component, contractComponents, toJsonSchema } from './describe.js';

export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

const reportLineSchema = z.object({
  line: z.int(),
  id: z.int().optional().describe('of the video; missing when none was created'),
  outcome: z.enum([...IMPORTED_STATES, 'failed', 'pending', 'untried', 'unknown']),
  class: z.string().optional(),
  text: z.string().optional().describe('what the API said'),
  video: videoDetailsSchema.optional(),
});

/** The names that the routes refer to. */
export function registerComponents({ openAPIRegistry }: GatewayApp): void {
  const schemas = new Map([
    [Component.problem, toJsonSchema(problemSchema)],
    [Component.plan, toJsonSchema(planSchema)],
    [Component.report, toJsonSchema(reportLineSchema)],
    ...contractComponents(),
  ]);
  for (const [name, schema] of schemas) openAPIRegistry.registerComponent('schemas', name, schema);
  openAPIRegistry.registerComponent('securitySchemes', 'token', {
    type: 'http',
    scheme: 'bearer',
    description: 'Not needed when the gateway listens on loopback without a token file.',
  });
}

/** The API as OpenAPI 3.1, made from the routes that the gateway serves. */
export function buildDocument(app: GatewayApp, version: string): OpenApiDocument {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'gcore-workflows',
      version,
      description:
        'Starts long operations of the Gcore API, follows them to a verified result, and never does a mutation twice. Unofficial.',
      license: { name: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: [
      { name: 'Start', description: 'Needs the scope run.' },
      { name: 'Plan', description: 'Needs the scope run.' },
      { name: 'Read', description: 'Needs the scope read.' },
      { name: 'Operate', description: 'Needs the scope operate.' },
    ],
  });
}

/** `/schemas/{name}.json`: what callers send and get, as the package ships it. Needs no token. */
export function addSchemas(app: GatewayApp): void {
  const headers = { 'Content-Type': 'application/schema+json' };
  const documents = new Map(
    Object.entries(jsonSchemas()).map(([name, schema]) => [
      `${name}.json`,
      publicDocument(headers, () => JSON.stringify(schema)),
    ]),
  );
  app.get('/schemas/:file', (c) => {
    c.set('route', '/schemas/{name}.json');
    const document = documents.get(c.req.param('file'));
    if (document === undefined) throw new ProblemError(noSchema([...documents.keys()]));
    return document(c);
  });
}

function noSchema(files: readonly string[]) {
  return {
    status: 404,
    code: 'NoSuchSchema',
    title: 'There is no such schema',
    detail: 'The gateway has no schema of this name.',
    advice: `Use one of ${files.join(', ')}.`,
  };
}
