import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import { RunNotFoundError } from '../../client/index.js';
import { GATEWAY_METRICS } from '../../contract/metrics.js';
import { Scope } from '../../tokens/token-file.js';
import type { GatewayApp, GatewayParts, AuditEntry } from '../gateway-context.js';
import { refuseWithoutScope, type Middleware, type AnswerLog } from '../middleware.js';
import { within } from '../within.js';

const FRESH_MS = 5_000;
const ANSWER_WITHIN_MS = 3_000;

/** No run has this id. That the server says so proves that it answers. */
const NO_RUN = 'gateway/readyz';

interface Readiness {
  ok: boolean;
  reason?: string;
}

/** Whether the gateway can take requests. However often it is asked, the server is asked once in some seconds. */
export function createReadiness({
  gcore,
  closing,
}: Pick<GatewayParts, 'gcore' | 'closing'>): () => Promise<Readiness> {
  let asked: { at: number; isReady: Promise<boolean> } | undefined;
  return async () => {
    if (closing.aborted) return { ok: false, reason: 'ending' };
    if (asked === undefined || performance.now() - asked.at > FRESH_MS) {
      asked = { at: performance.now(), isReady: answers(gcore) };
    }
    if (await asked.isReady) return { ok: true };
    return { ok: false, reason: 'the Temporal server does not answer' };
  };
}

/** `/livez`: the process runs. `/readyz`: it can take requests, so the Temporal server answers. */
export function addHealth(app: GatewayApp, readiness: () => Promise<Readiness>): void {
  app.get('/livez', (c) => {
    c.set('route', '/livez');
    return c.json({ ok: true });
  });
  app.get('/readyz', async (c) => {
    c.set('route', '/readyz');
    const ready = await readiness();
    return c.json(ready, ready.ok ? 200 : 503);
  });
}

async function answers(gcore: GatewayParts['gcore']): Promise<boolean> {
  try {
    await within(gcore, ANSWER_WITHIN_MS, () => gcore.summary(NO_RUN));
    return true;
  } catch (error) {
    return error instanceof RunNotFoundError;
  }
}

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

/** What the gateway tells of itself, for Prometheus. */
interface GatewayMetrics {
  answered: (answer: Pick<AnswerLog, 'method' | 'route' | 'status' | 'ms'>) => void;
  audited: (entry: Pick<AuditEntry, 'action' | 'outcome'>) => void;
  /** In the text format of Prometheus. */
  read: (now: { isReady: boolean; openStreams: number }) => Promise<string>;
  contentType: string;
}

export function createGatewayMetrics(): GatewayMetrics {
  const { requests, requestDuration, audited, openStreams, ready } = GATEWAY_METRICS;
  const registry = new Registry();
  const registers = [registry];
  const answers = new Counter({ ...optionsOf(requests), registers });
  const audits = new Counter({ ...optionsOf(audited), registers });
  const { buckets } = requestDuration;
  const duration = new Histogram({
    ...optionsOf(requestDuration),
    buckets: [...buckets],
    registers,
  });
  const streams = new Gauge({ ...optionsOf(openStreams), registers });
  const readiness = new Gauge({ ...optionsOf(ready), registers });
  return {
    contentType: registry.contentType,
    answered: ({ method, route, status, ms }) => {
      answers.inc({ method, route, status: String(status) });
      duration.observe({ route }, ms / 1000);
    },
    audited: ({ action, outcome }) => {
      audits.inc({ action, outcome });
    },
    read: (now) => {
      streams.set(now.openStreams);
      readiness.set(now.isReady ? 1 : 0);
      return registry.metrics();
    },
  };
}

function optionsOf<L extends string>({
  name,
  help,
  labels: labelNames,
}: {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
}) {
  return { name, help, labelNames };
}
