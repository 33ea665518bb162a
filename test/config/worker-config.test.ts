import { describe, expect, it } from '@jest/globals';

import {
  ConfigurationError,
  loadAccountNames,
  loadDevConfig,
  loadWorkerConfig,
  NOT_OBSERVED,
} from '../../src/config.js';
import { faultsOf } from './config-faults.js';

const KEY = '1234$abcdef_9';

describe('loadAccountNames', () => {
  it('names the account that the worker serves, and needs no key', () => {
    expect(loadAccountNames({})).toEqual(['default']);
    expect(loadAccountNames({ GCORE_ACCOUNT: '' })).toEqual(['default']);
    expect(loadAccountNames({ GCORE_ACCOUNT: 'team-a' })).toEqual(['team-a']);
    expect(() => loadAccountNames({ GCORE_ACCOUNT: 'Team A' })).toThrow(ConfigurationError);
  });
});

describe('loadWorkerConfig', () => {
  it('requires only the key', () => {
    const config = loadWorkerConfig({ GCORE_API_KEY: KEY });

    expect(config).toEqual({
      accounts: [
        {
          name: 'default',
          apiKey: KEY,
          keyVariable: 'GCORE_API_KEY',
          authScheme: 'apikey',
          baseUrl: 'https://api.gcore.com',
          requestsPerSecond: 10,
        },
      ],
      reconcileGraceMs: 120_000,
      watcher: true,
      tasksPath: '/cloud/v1/tasks',
      workflowStacks: false,
      cachedRuns: 1_000,
      manifestRoot: undefined,
      manifestHosts: [],
      callApi: [],
      webhooks: undefined,
      observe: NOT_OBSERVED,
      secrets: { kind: 'environment', values: {} },
      clearSecrets: undefined,
      notices: [],
    });
  });

  it('reads every setting', () => {
    const config = loadWorkerConfig({
      GCORE_API_KEY: KEY,
      GCORE_ACCOUNT: 'team-a',
      GCORE_AUTH_SCHEME: 'APIKey',
      GCORE_BASE_URL: 'https://proxy.example.test/gcore',
      GCORE_CLOUD_PROJECT_ID: '1186',
      GCORE_CLOUD_REGION_ID: '76',
      GCORE_REQUESTS_PER_SECOND: '2.5',
      GCORE_SECRETS_DIR: '/',
      GCORE_CLEAR_SECRETS: 'allow',
      GCORE_RECONCILE_GRACE_SECONDS: '20.5',
      GCORE_TASK_WATCHER: 'off',
      GCORE_TASKS_ENDPOINT: '/v1/tasks',
      GCORE_WORKFLOW_STACKS: 'on',
      GCORE_CACHED_RUNS: '4000',
      GCORE_MANIFEST_ROOT: '/',
      GCORE_MANIFEST_HOSTS: 'files.example.test, Cdn.example.test:8443',
      GCORE_CALL_API: 'GET /cloud/v1/networks/*/*/*,PATCH  /cloud/v1/networks/*/*/*',
      PATH: '/bin',
    });

    expect(config).toEqual({
      accounts: [
        {
          name: 'team-a',
          apiKey: KEY,
          keyVariable: 'GCORE_API_KEY',
          authScheme: 'APIKey',
          baseUrl: 'https://proxy.example.test/gcore',
          projectId: 1186,
          regionId: 76,
          requestsPerSecond: 2.5,
        },
      ],
      reconcileGraceMs: 20_500,
      watcher: false,
      tasksPath: '/v1/tasks',
      workflowStacks: true,
      cachedRuns: 4_000,
      manifestRoot: '/',
      manifestHosts: ['files.example.test', 'cdn.example.test:8443'],
      callApi: ['GET /cloud/v1/networks/*/*/*', 'PATCH /cloud/v1/networks/*/*/*'],
      observe: NOT_OBSERVED,
      secrets: { kind: 'files', folder: '/' },
      clearSecrets: 'allow',
      notices: [],
    });
  });

  it('treats an empty variable as unset', () => {
    const config = loadWorkerConfig({
      GCORE_API_KEY: KEY,
      GCORE_API_KEY_FILE: '',
      GCORE_BASE_URL: '',
      GCORE_CLOUD_PROJECT_ID: '',
    });

    expect(config.accounts).toMatchObject([
      { baseUrl: 'https://api.gcore.com', projectId: undefined },
    ]);
  });

  it('lists every fault at once', () => {
    const faults = faultsOf({
      GCORE_BASE_URL: 'api.gcore.com',
      GCORE_AUTH_SCHEME: 'api key',
      GCORE_CLOUD_PROJECT_ID: 'default',
      GCORE_CLOUD_REGION_ID: '-1',
      GCORE_REQUESTS_PER_SECOND: '0',
      GCORE_RECONCILE_GRACE_SECONDS: 'long',
      TEMPORAL_TLS: 'TRUE',
    });

    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'GCORE_API_KEY',
      'GCORE_BASE_URL',
      'GCORE_AUTH_SCHEME',
      'GCORE_CLOUD_PROJECT_ID',
      'GCORE_CLOUD_REGION_ID',
      'GCORE_REQUESTS_PER_SECOND',
      'GCORE_RECONCILE_GRACE_SECONDS',
      'TEMPORAL_TLS',
    ]);
  });

  it('throws a message with one line per fault', () => {
    const load = () => loadWorkerConfig({ GCORE_BASE_URL: 'x', TEMPORAL_TLS: 'yes' });

    expect(load).toThrow(
      new ConfigurationError([
        'GCORE_API_KEY: is missing; set it, or set GCORE_API_KEY_FILE to a file with the key',
        'GCORE_BASE_URL: must be a URL; the default is https://api.gcore.com',
        'TEMPORAL_TLS: must be true or false, in lower case',
      ]),
    );
    expect(load).toThrow(/^The configuration has 3 faults:\n {2}GCORE_API_KEY: .+\n {2}/);
  });

  it.each([
    ['GCORE_CLOUD_PROJECT_ID', 'one'],
    ['GCORE_CLOUD_PROJECT_ID', '1.5'],
    ['GCORE_CLOUD_PROJECT_ID', '0'],
    ['GCORE_CLOUD_REGION_ID', ' '],
    ['GCORE_ACCOUNT', 'Team A'],
    ['GCORE_REQUESTS_PER_SECOND', '-1'],
    ['GCORE_REQUESTS_PER_SECOND', '10/s'],
    ['GCORE_REQUESTS_PER_SECOND', 'Infinity'],
    ['GCORE_RECONCILE_GRACE_SECONDS', '0'],
    ['GCORE_RECONCILE_GRACE_SECONDS', '2m'],
    ['GCORE_RECONCILE_GRACE_SECONDS', '19'],
    ['GCORE_TASK_WATCHER', 'yes'],
    ['GCORE_WORKFLOW_STACKS', 'yes'],
    ['GCORE_CACHED_RUNS', '0'],
    ['GCORE_CACHED_RUNS', '20000'],
    ['GCORE_TASKS_ENDPOINT', 'v1/tasks'],
    ['GCORE_TASKS_ENDPOINT', '/v1/tasks/'],
    ['GCORE_MANIFEST_ROOT', '/is/not/there'],
    ['GCORE_MANIFEST_ROOT', '.'],
    ['GCORE_MANIFEST_ROOT', '/dev/null'],
    ['GCORE_CALL_API', '/cloud/v1/networks/1/2'],
    ['GCORE_CALL_API', 'GET /storage/v4/ssh_keys'],
    ['GCORE_CALL_API', 'GET /cloud/v1/networks/1/2*'],
    ['GCORE_CALL_API', 'GET /cloud/v1/../../storage/v4/ssh_keys'],
    ['GCORE_MANIFEST_HOSTS', 'https://files.example.test'],
    ['GCORE_MANIFEST_HOSTS', 'files.example.test/path'],
    ['TEMPORAL_TLS', 'TRUE'],
    ['TEMPORAL_TLS', 'False'],
    ['TEMPORAL_TLS', 'on'],
  ])('refuses %s=%s', (name, value) => {
    const faults = faultsOf({ GCORE_API_KEY: KEY, [name]: value });

    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name}: .{10}`))]);
  });

  it('takes a short grace time beside an API on the same machine', () => {
    const environment = { GCORE_API_KEY: KEY, GCORE_RECONCILE_GRACE_SECONDS: '2' };
    const GCORE_BASE_URL = 'http://127.0.0.1:8100';

    expect(loadWorkerConfig({ ...environment, GCORE_BASE_URL })).toMatchObject({
      reconcileGraceMs: 2_000,
    });
  });

  it('shows no credentials of a wrong manifest host', () => {
    const hosts = 'a.test,https://me:canary@b.test/?sig=canary,https://c.test';

    const faults = faultsOf({ GCORE_API_KEY: KEY, GCORE_MANIFEST_HOSTS: hosts });

    expect(faults).toEqual([expect.stringMatching(/not hosts: entry 2, https:\/\/c\.test$/)]);
  });

  it.each(['true', 'false', '1', '0'])('accepts TEMPORAL_TLS=%s', (value) => {
    const faults = faultsOf({ GCORE_API_KEY: KEY, TEMPORAL_TLS: value });

    expect(faults).toEqual([]);
  });

  it.each([
    'https://api.gcore.com',
    'https://api.gcore.com/',
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://127.1.2.3',
    'http://[::1]:8080',
    'http://simulator:8080',
    ' https://api.gcore.com ',
  ])('accepts the base URL %s', (url) => {
    const faults = faultsOf({ GCORE_API_KEY: KEY, GCORE_BASE_URL: url });

    expect(faults).toEqual([]);
  });

  it.each([
    ['http://api.gcore.com', 'must be https'],
    ['http://10.0.0.1', 'must be https'],
    ['http://127.0.0.1.example.test', 'must be https'],
    ['http://localhost.example.test', 'must be https'],
    ['http://[2001:db8::1]', 'must be https'],
    ['http://[::ffff:8.8.8.8]', 'must be https'],
    ['https://api.gcore.com?x=1', 'must not have a query'],
    ['https://api.gcore.com#x', 'must not have a query'],
    ['ftp://127.0.0.1', 'must be https'],
    ['https://me:pass@api.gcore.com', 'must not contain credentials'],
    ['https://', 'must be a URL'],
    ['localhost:8080', 'must be https'],
    ['api.gcore.com', 'must be a URL'],
  ])('refuses the base URL %s', (url, reason) => {
    const faults = faultsOf({ GCORE_API_KEY: KEY, GCORE_BASE_URL: url });

    expect(faults).toEqual([expect.stringContaining(`GCORE_BASE_URL: ${reason}`)]);
  });
});

describe('loadDevConfig', () => {
  it('reads the settings of the embedded server and requires none', () => {
    const empty = loadDevConfig({});
    const full = loadDevConfig({ TEMPORAL_ADDRESS: 'h:1', TEMPORAL_CLI_PATH: 't', PATH: 'p' });

    expect(empty).toEqual({ searchPath: '' });
    expect(full).toEqual({ temporalAddress: 'h:1', temporalCliPath: 't', searchPath: 'p' });
  });
});
