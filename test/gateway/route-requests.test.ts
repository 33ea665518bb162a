import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { idleGateway, routesOf } from './route-requests.js';

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/** As a route that somebody has filled in. */
function patternOf(method: string, path: string): RegExp {
  return new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

describe('the routes that have prices', () => {
  it('are all of the document', async () => {
    const app = idleGateway();
    const { paths } = documentSchema.parse(await (await app.request('/openapi.json')).json());
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => patternOf(method, path)),
    );

    const routes = await routesOf(app);

    expect(described.length).toBeGreaterThan(70);
    expect(described.filter((pattern) => !routes.some((route) => pattern.test(route)))).toEqual([]);
    expect(routes).toContain('POST /v1/batches/resizeInstance');
    expect(routes).toContain('POST /v1/uploads/runBatch');
  });

  it('are those that a gateway gets later too', async () => {
    const app = idleGateway();
    app.get('/v1/later', (c) => c.body(null));

    expect(await routesOf(app)).toContain('GET /v1/later');
  });

  it('have no part of which nobody knows what may stand there', async () => {
    const app = idleGateway();
    app.get('/v1/runs/:id/things/:thing', (c) => c.body(null));

    await expect(routesOf(app)).rejects.toThrow('add :thing to PARTS');
  });
});
