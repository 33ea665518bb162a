import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import ms from 'ms';
import { parse } from 'yaml';
import { z } from 'zod';

import { UPLOAD_LIMITS } from '../../src/client/uploads/kept-lists.js';
import { loadUploadLimits } from '../../src/config/upload-limits.js';
import { END_WITHIN_MS } from '../../src/gateway/serve-gateway.js';
import { SHUTDOWN } from '../../src/worker/shutdown.js';

const CHART = 'deploy/helm/gcore-workflows';
const COMPOSE_FILES = ['docker-compose.yml', 'deploy/compose/docker-compose.yml'];

const chartSchema = z.object({ version: z.string(), appVersion: z.string() });
const partSchema = z.object({ shutdownSeconds: z.number(), shutdownMarginSeconds: z.number() });
const uploadsSchema = z.object({
  listMiB: z.number(),
  callerMiB: z.number(),
  accountMiB: z.number(),
  accountLists: z.number(),
});
const valuesSchema = z.object({
  worker: partSchema,
  gateway: partSchema.extend({ uploads: uploadsSchema }),
});
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

describe('the probes of the chart', () => {
  it.each(['gateway.yaml', 'codec-server.yaml', '_worker-pod.tpl'])(
    'ask in %s on a port of their own, where they wait behind no callers',
    (name) => {
      const text = readFileSync(join(CHART, 'templates', name), 'utf8');
      const ports = [...text.matchAll(/httpGet: .*port: (\w+)/g)].map(([, port]) => port);

      expect(ports.length).toBeGreaterThanOrEqual(2);
      expect(new Set(ports)).toEqual(new Set(['health']));
    },
  );
});

describe('the limits of uploaded lists', () => {
  it('are in the chart those of the product where nobody sets others, and reach the gateway', () => {
    const template = readFileSync(join(CHART, 'templates', 'gateway.yaml'), 'utf8');
    const given = template.matchAll(/name: (GCORE_UPLOADS_\w+), value: {{ int \.(\w+) /g);
    const uploads: Readonly<Record<string, number>> = values.gateway.uploads;
    const environment = Object.fromEntries(
      [...given].map(([, name = '', value = '']) => [name, String(uploads[value])]),
    );

    expect(loadUploadLimits(environment)).toEqual(UPLOAD_LIMITS);
  });
});

/** Names of other tools, which Compose does not pass on, and what nobody outside of the trial's container reads. */
const NOT_IN_THE_TRIAL = [
  'GCORE_PERMANENT_TOKEN',
  'GCORE_APIKEY',
  'GCORE_WORKFLOWS_HEALTH_PORT',
  'GCORE_WORKFLOWS_METRICS_PORT',
  'GCORE_WORKFLOWS_LISTEN_HOST',
];

/** Of the Compose file itself. */
const OF_COMPOSE = ['GCORE_WORKFLOWS_VERSION'];

const variablesOf = (text: string): string[] => [
  ...new Set(text.match(/\b(?:GCORE|TEMPORAL)_[A-Z_]+[A-Z]\b/g)),
];

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}

describe('the variables of the packages', () => {
  const sources = ['src/config.ts', ...filesBelow('src/config', '.ts')];
  const read = variablesOf(sources.map((file) => readFileSync(file, 'utf8')).join('\n'));
  // Other pages have the details, this one has all the names.
  const documented = variablesOf(readFileSync('docs/configuration.md', 'utf8'));
  const files = [
    'Dockerfile',
    ...COMPOSE_FILES,
    join(CHART, 'values.yaml'),
    ...filesBelow(join(CHART, 'templates'), ''),
    ...filesBelow(join(CHART, 'ci'), '.yaml'),
  ];

  it.each(files)('are read by the product, and documented: %s', (file) => {
    const own = variablesOf(readFileSync(file, 'utf8')).filter(
      (name) => name.startsWith('GCORE_') && !OF_COMPOSE.includes(name),
    );

    expect(own.filter((name) => !read.includes(name))).toEqual([]);
    expect(own.filter((name) => !documented.includes(name))).toEqual([]);
  });

  it('can all be set in the trial, but for a few', () => {
    const compose = variablesOf(readFileSync('docker-compose.yml', 'utf8'));
    const missing = documented.filter(
      (name) => name.startsWith('GCORE_') && read.includes(name) && !compose.includes(name),
    );

    expect(missing).toEqual(NOT_IN_THE_TRIAL);
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
