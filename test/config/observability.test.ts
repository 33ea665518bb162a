import { describe, expect, it } from '@jest/globals';

import { loadWorkerConfig, NOT_OBSERVED } from '../../src/config.js';
import { readTraceSettings } from '../../src/config/observability.js';
import { faultsOf } from './config-faults.js';

const KEY = { GCORE_API_KEY: 'key' };

describe('the ports for health and metrics', () => {
  it('are closed without settings', () => {
    expect(loadWorkerConfig(KEY).observe).toEqual(NOT_OBSERVED);
  });

  it('open on loopback', () => {
    const { observe } = loadWorkerConfig({
      ...KEY,
      GCORE_WORKFLOWS_HEALTH_PORT: '8081',
      GCORE_WORKFLOWS_METRICS_PORT: '9464',
    });

    expect(observe).toMatchObject({ host: '127.0.0.1', healthPort: 8081, metricsPort: 9464 });
  });

  it('open on another address that is given', () => {
    const { observe } = loadWorkerConfig({ ...KEY, GCORE_WORKFLOWS_LISTEN_HOST: '::' });

    expect(observe.host).toBe('::');
  });

  it.each(['0', '65536', '-1', '8080.5', 'abc', '0x50', ' '])('cannot be "%s"', (port) => {
    const faults = faultsOf({
      ...KEY,
      GCORE_WORKFLOWS_HEALTH_PORT: port,
      GCORE_WORKFLOWS_METRICS_PORT: port,
    });

    expect(faults).toEqual([
      'GCORE_WORKFLOWS_HEALTH_PORT: must be a port, 1 to 65535',
      'GCORE_WORKFLOWS_METRICS_PORT: must be a port, 1 to 65535',
    ]);
  });

  it('cannot be the same', () => {
    const faults = faultsOf({
      ...KEY,
      GCORE_WORKFLOWS_HEALTH_PORT: '8081',
      GCORE_WORKFLOWS_METRICS_PORT: '8081',
    });

    expect(faults).toEqual([
      'GCORE_WORKFLOWS_HEALTH_PORT, GCORE_WORKFLOWS_METRICS_PORT: both are 8081; give each its own port',
    ]);
  });

  it('need an address, not a name', () => {
    expect(faultsOf({ ...KEY, GCORE_WORKFLOWS_LISTEN_HOST: 'localhost' })).toEqual([
      'GCORE_WORKFLOWS_LISTEN_HOST: must be an IP address, such as 127.0.0.1, or 0.0.0.0 for all addresses',
    ]);
  });
});

describe('tracing', () => {
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };

  it.each([
    ['nothing', {}],
    ['a name alone', { OTEL_SERVICE_NAME: 'shop' }],
    ['the exporter none', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    ['OTEL_SDK_DISABLED', { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
  ])('is off with %s', (_name, environment) => {
    expect(readTraceSettings(environment, [])).toBeUndefined();
  });

  it('is on with the address of a collector', () => {
    expect(readTraceSettings(ENDPOINT, [])).toEqual({
      exporter: 'otlp',
      protocol: 'http/protobuf',
      serviceName: 'gcore-workflows',
    });
  });

  it('is on with an exporter alone', () => {
    const settings = readTraceSettings(
      {
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_SERVICE_NAME: 'shop',
      },
      [],
    );

    expect(settings).toEqual({ exporter: 'otlp', protocol: 'http/json', serviceName: 'shop' });
  });

  it.each([
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER: must be otlp, console or none'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
      'OTEL_EXPORTER_OTLP_ENDPOINT: must be a URL such as http://localhost:4318',
    ],
    [
      { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf or http/json; a collector takes them on port 4318',
    ],
  ])('refuses %j', (environment, fault) => {
    expect(faultsOf({ ...KEY, ...environment })).toEqual([fault]);
  });
});
