import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import ms from 'ms';
import { parse } from 'yaml';
import { z } from 'zod';

import { END_WITHIN_MS } from '../../src/gateway/serve-gateway.js';
import { SHUTDOWN } from '../../src/worker/create-workers.js';

const CHART = 'deploy/helm/gcore-workflows';
const COMPOSE_FILES = ['docker-compose.yml', 'deploy/compose/docker-compose.yml'];

const chartSchema = z.object({ version: z.string(), appVersion: z.string() });
const partSchema = z.object({ shutdownSeconds: z.number(), shutdownMarginSeconds: z.number() });
const valuesSchema = z.object({ worker: partSchema, gateway: partSchema });
const limitSchema = z.object({
  properties: z.object({ shutdownSeconds: z.object({ minimum: z.number() }) }),
});
const schemaSchema = z.object({
  properties: z.object({ worker: limitSchema, gateway: limitSchema }),
});
const composeSchema = z.object({
  services: z.record(z.string(), z.object({ stop_grace_period: z.string().optional() })),
});

function readYaml(...path: string[]): unknown {
  return parse(readFileSync(join(...path), 'utf8'), { merge: true });
}

const values = valuesSchema.parse(readYaml(CHART, 'values.yaml'));
const { properties: limits } = schemaSchema.parse(
  JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')),
);
const WORKER_SECONDS = ms(SHUTDOWN.shutdownForceTime) / 1_000;
const GATEWAY_SECONDS = END_WITHIN_MS / 1_000;

function graceOf(file: string, service: string): number {
  const { services } = composeSchema.parse(readYaml(file));
  const text = services[service]?.stop_grace_period ?? '10s';
  return Number(/^(\d+)s$/.exec(text)?.[1]);
}

describe('the time that a process has to end', () => {
  it('is in the chart that of the worker and of the gateway, and cannot be set below it', () => {
    expect(values.worker.shutdownSeconds).toBe(WORKER_SECONDS);
    expect(limits.worker.properties.shutdownSeconds.minimum).toBe(WORKER_SECONDS);
    expect(values.gateway.shutdownSeconds).toBe(GATEWAY_SECONDS);
    expect(limits.gateway.properties.shutdownSeconds.minimum).toBe(GATEWAY_SECONDS);
  });

  it.each(COMPOSE_FILES)('is in %s longer than the worker needs', (file) => {
    expect(graceOf(file, 'worker')).toBeGreaterThan(WORKER_SECONDS);
  });

  it('is in the Compose file of production longer than the gateway needs', () => {
    expect(graceOf('deploy/compose/docker-compose.yml', 'gateway')).toBeGreaterThan(
      GATEWAY_SECONDS,
    );
  });
});

/** Variables of parts that are built beside these files. */
const AWAITED = [
  'GCORE_ACCOUNTS_FILE',
  'GCORE_ALLOW_PLAIN_TEMPORAL',
  'GCORE_CODEC_KEYS_FILE',
  'GCORE_SECRETS_DIR',
  'GCORE_WORKFLOWS_DEPLOYMENT',
  'GCORE_WORKFLOWS_HEALTH_PORT',
  'GCORE_WORKFLOWS_LISTEN_HOST',
  'GCORE_WORKFLOWS_METRICS_PORT',
];

/** Of the Compose file itself. */
const OF_COMPOSE = ['GCORE_WORKFLOWS_VERSION'];

describe('the variables of the packages', () => {
  const config = ['src/config.ts', ...readdirSync('src/config').map((name) => `src/config/${name}`)]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const templates = readdirSync(join(CHART, 'templates')).map((name) =>
    join(CHART, 'templates', name),
  );

  it.each(['Dockerfile', ...COMPOSE_FILES, ...templates])('are read by the product: %s', (file) => {
    const named = readFileSync(file, 'utf8').match(/\bGCORE_[A-Z_]+[A-Z]\b/g) ?? [];
    const known = [...AWAITED, ...OF_COMPOSE];
    const unread = named.filter((name) => !known.includes(name) && !config.includes(name));

    expect(unread).toEqual([]);
  });
});

describe('the chart', () => {
  it('has the version of the package', () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')));

    expect(chartSchema.parse(readYaml(CHART, 'Chart.yaml'))).toEqual({
      version,
      appVersion: version,
    });
  });
});
