import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import { GATEWAY_METRICS } from '../../contract/metrics.js';
import type { AuditEntry } from '../audit-entry.js';
import type { AnswerLog } from '../middleware.js';

/** What the gateway tells of itself, for Prometheus. */
export interface GatewayMetrics {
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
    ...{ buckets: [...buckets], registers },
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
