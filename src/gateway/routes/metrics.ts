import type { GatewayApp, GatewayParts } from '../gateway-context.js';
import type { GatewayMetrics } from '../metrics/gateway-metrics.js';
import { refuseWithoutScope, type Middleware } from '../middleware.js';
import { Scope } from '../../tokens/token-file.js';
import type { Readiness } from './health.js';

export interface MetricsDeps {
  metrics: GatewayMetrics;
  readiness: () => Promise<Readiness>;
  guards: readonly Middleware[];
}

/** `/metrics`, for Prometheus: it names routes and counts, but no run and no caller. It needs the scope `metrics`. */
export function addMetrics(
  app: GatewayApp,
  { streams }: Pick<GatewayParts, 'streams'>,
  { metrics, readiness, guards }: MetricsDeps,
): void {
  app.use('/metrics', ...guards);
  app.get('/metrics', async (c) => {
    c.set('route', '/metrics');
    refuseWithoutScope(c.get('caller'), Scope.metrics);
    const { ok: isReady } = await readiness();
    const text = await metrics.read({ isReady, openStreams: streams.open() });
    return c.body(text, 200, { 'Content-Type': metrics.contentType });
  });
}
