import { jsonSchemas } from '../../contract/json-schemas.js';
import type { GatewayApp } from '../gateway-context.js';
import { ProblemError } from '../problems/problem.js';

/** `/schemas/{name}.json`: what callers send and get, as the package ships it. Needs no token. */
export function addSchemas(app: GatewayApp): void {
  const texts = new Map(
    Object.entries(jsonSchemas()).map(([name, schema]) => [`${name}.json`, JSON.stringify(schema)]),
  );
  app.get('/schemas/:file', (c) => {
    c.set('route', '/schemas/{name}.json');
    const text = texts.get(c.req.param('file'));
    if (text === undefined) throw new ProblemError(noSchema([...texts.keys()]));
    return c.body(text, 200, { 'Content-Type': 'application/schema+json' });
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
