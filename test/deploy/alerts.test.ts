import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';

import type { Metric } from '../../src/engine/core/metrics.js';
import { GATEWAY_METRICS, WORKER_METRICS } from '../../src/contract/metrics.js';
import { WORKFLOW_METRICS } from '../../src/contract/wire/product.js';

const RULES = 'deploy/prometheus/gcore-workflows.rules.yml';
const DASHBOARD = 'deploy/grafana/gcore-workflows.json';
const PAGES = 'docs/operate';

const ruleSchema = z.looseObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.object({ severity: z.enum(['critical', 'warning', 'info']) }),
  annotations: z.object({
    summary: z.string(),
    description: z.string(),
    runbook_url: z.string(),
  }),
});
const { groups } = z
  .object({ groups: z.array(z.object({ name: z.string(), rules: z.array(ruleSchema) })) })
  .parse(parse(readFileSync(RULES, 'utf8')));
const rules = groups.flatMap((group) => group.rules);

const tables: Record<string, Metric>[] = [WORKER_METRICS, WORKFLOW_METRICS, GATEWAY_METRICS];
const metrics = tables.flatMap((table) => Object.values(table));

/** The names under which Prometheus has a metric. */
function seriesOf({ name, kind }: Metric): string[] {
  return kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
}

const known = new Set(metrics.flatMap(seriesOf));

/** The metrics of this product in a query. Its labels and text in quotes are not metrics. */
function namesIn(query: string): string[] {
  return query.replaceAll(/"[^"]*"/g, '').match(/\bgcore_\w+/g) ?? [];
}

function pageOf({ annotations }: (typeof rules)[number]): string {
  return /operate\/([\w-]+\.md)$/.exec(annotations.runbook_url)?.[1] ?? annotations.runbook_url;
}

describe('the alert rules', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s asks for metrics that exist',
    (_, rule) => {
      expect(namesIn(rule.expr).filter((name) => !known.has(name))).toEqual([]);
    },
  );

  it('have a page each, and every page names its alerts', () => {
    const alerts = rules.map((rule) => `${pageOf(rule)}: ${rule.alert}`);
    const named = readdirSync(PAGES).flatMap((page) => {
      const [line = ''] = /^Alert: .*$/m.exec(readFileSync(`${PAGES}/${page}`, 'utf8')) ?? [];
      return [...line.matchAll(/`(\w+)`/g)].map(([, alert = '']) => `${page}: ${alert}`);
    });

    expect(named.sort()).toEqual(alerts.sort());
  });

  it('are each tested', () => {
    const tests = readFileSync('deploy/prometheus/gcore-workflows.rules.test.yml', 'utf8');
    const tested = new Set(
      [...tests.matchAll(/alertname="(\w+)", alertstate="firing"/g)].map(([, name]) => name),
    );

    expect(rules.map(({ alert }) => alert).filter((alert) => !tested.has(alert))).toEqual([]);
  });
});

describe('the dashboard', () => {
  const queries = [...readFileSync(DASHBOARD, 'utf8').matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(
    ([, query = '']) => query.replaceAll('\\"', '"'),
  );

  it('asks only for metrics that exist', () => {
    expect(queries.flatMap(namesIn).filter((name) => !known.has(name))).toEqual([]);
  });

  it('leaves out no metric', () => {
    const shown = new Set([...queries, ...rules.map(({ expr }) => expr)].flatMap(namesIn));

    expect(metrics.filter((metric) => !seriesOf(metric).some((name) => shown.has(name)))).toEqual(
      [],
    );
  });
});
