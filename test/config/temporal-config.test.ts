import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ConfigurationError, loadTemporalConfig } from '../../src/config.js';
import { faultsOf } from './config-faults.js';
import { createSelfSigned } from '../support/http/self-signed.js';

const PROFILES = `
[profile.default]
address = "temporal.example.com:7233"
api_key = "a-key"
[profile.plain]
address = "temporal.example.com:7233"
api_key = "a-key"
[profile.plain.tls]
disabled = true
[profile.bad-address]
address = "https://temporal.example.com"
`;

let folder = '';
let profiles = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gcore-workflows-temporal-'));
  profiles = fileWith('temporal.toml', PROFILES);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function fileWith(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** The worker's faults: its own settings are sound. */
function temporalFaultsOf(environment: Record<string, string>): readonly string[] {
  return faultsOf({ GCORE_API_KEY: 'key', ...environment });
}

describe('the settings of the Temporal server', () => {
  it('come from the variables', () => {
    const config = loadTemporalConfig({
      TEMPORAL_ADDRESS: 'temporal.example.com:7233',
      TEMPORAL_NAMESPACE: 'orders',
      TEMPORAL_API_KEY: 'a-key',
      TEMPORAL_PROFILE: '',
    });

    expect(config).toMatchObject({
      namespace: 'orders',
      connectionOptions: { address: 'temporal.example.com:7233', apiKey: 'a-key', tls: true },
    });
  });

  it('come from the profile where no variable is set', () => {
    const config = loadTemporalConfig({ TEMPORAL_CONFIG_FILE: profiles });

    expect(config.connectionOptions).toMatchObject({ apiKey: 'a-key', tls: true });
  });

  it('may be replaced by the command line, which repairs a wrong variable', () => {
    const environment = { TEMPORAL_ADDRESS: 'no port:x' };

    const config = loadTemporalConfig(environment, { address: 'localhost:7233' });

    expect(config.connectionOptions.address).toBe('localhost:7233');
  });

  it.each([
    'localhost',
    'localhost:7233',
    '127.0.0.1:1',
    '[::1]:7233',
    'ns.a1b2c.tmprl.cloud:7233',
    'temporal_server:7233',
  ])('accept the address %s', (address) => {
    expect(temporalFaultsOf({ TEMPORAL_ADDRESS: address, TEMPORAL_TLS: 'true' })).toEqual([]);
  });

  it.each([
    'http://localhost:7233',
    'localhost:',
    'localhost:port',
    'localhost:70000',
    'localhost:0',
    'local host:7233',
    '::1:7233',
    'localhost:7233/path',
    'me@localhost:7233',
  ])('refuse the address %s', (address) => {
    expect(temporalFaultsOf({ TEMPORAL_ADDRESS: address })).toEqual([
      'TEMPORAL_ADDRESS: must be of the form host:port, such as localhost:7233',
    ]);
  });

  it('refuse a profile that the file does not have', () => {
    const environment = { TEMPORAL_CONFIG_FILE: profiles, TEMPORAL_PROFILE: 'prodd' };

    expect(temporalFaultsOf(environment)).toEqual([
      'TEMPORAL_PROFILE: the configuration file has no profile "prodd"',
    ]);
  });

  it('refuse a profile without any configuration file', () => {
    expect(temporalFaultsOf({ TEMPORAL_PROFILE: 'prod', HOME: folder })).toEqual([
      'TEMPORAL_PROFILE: the configuration file has no profile "prod"',
    ]);
  });

  it('refuse a configuration file that does not exist', () => {
    const [fault] = temporalFaultsOf({ TEMPORAL_CONFIG_FILE: join(folder, 'none.toml') });

    expect(fault).toMatch(/^TEMPORAL_CONFIG_FILE: there is no file ".*none.toml"$/);
  });

  it('refuse a configuration file that is no TOML', () => {
    const file = fileWith('broken.toml', '[profile.default\n');

    const [fault] = temporalFaultsOf({ TEMPORAL_CONFIG_FILE: file });

    expect(fault).toMatch(/^TEMPORAL_CONFIG_FILE: the configuration file cannot be read \(/);
  });

  it('refuse a wrong address of the profile', () => {
    const environment = { TEMPORAL_CONFIG_FILE: profiles, TEMPORAL_PROFILE: 'bad-address' };

    expect(temporalFaultsOf(environment)).toEqual([
      'address of the Temporal profile: must be of the form host:port, such as localhost:7233',
    ]);
  });
});

describe('the API key of the Temporal server', () => {
  const remote = { TEMPORAL_API_KEY: 'a-key', TEMPORAL_ADDRESS: 'temporal.example.com:7233' };

  it.each(['false', '0'])('is not sent in plain text to a remote host (TEMPORAL_TLS=%s)', (tls) => {
    expect(temporalFaultsOf({ ...remote, TEMPORAL_TLS: tls })).toEqual([
      expect.stringMatching(/^TEMPORAL_API_KEY: would be sent unencrypted to temporal.example.com/),
    ]);
  });

  it('is not sent in plain text to a remote host of a profile or of the command line', () => {
    const profile = { TEMPORAL_CONFIG_FILE: profiles, TEMPORAL_PROFILE: 'plain' };
    const local = { ...remote, TEMPORAL_TLS: 'false', TEMPORAL_ADDRESS: 'localhost:7233' };

    expect(temporalFaultsOf(profile)).toEqual([
      expect.stringMatching(/^api_key of the Temporal profile: would be sent unencrypted/),
    ]);
    expect(() => loadTemporalConfig(local, { address: 'temporal.example.com:7233' })).toThrow(
      ConfigurationError,
    );
  });

  it.each(['localhost:7233', '127.0.0.1:7233', 'temporal:7233'])(
    'may be sent in plain text to %s',
    (address) => {
      const environment = { ...remote, TEMPORAL_TLS: 'false', TEMPORAL_ADDRESS: address };

      expect(temporalFaultsOf({ ...environment, GCORE_ALLOW_PLAIN_TEMPORAL: 'true' })).toEqual([]);
    },
  );

  it('is sent in plain text to no remote host, whatever is allowed', () => {
    const environment = { ...remote, TEMPORAL_TLS: 'false', GCORE_ALLOW_PLAIN_TEMPORAL: 'true' };

    expect(temporalFaultsOf(environment)).toEqual([
      expect.stringMatching(/^TEMPORAL_API_KEY: would be sent unencrypted/),
    ]);
  });

  it('is one word', () => {
    expect(temporalFaultsOf({ ...remote, TEMPORAL_API_KEY: 'a\nkey' })).toEqual([
      'TEMPORAL_API_KEY: must be one word without line breaks',
    ]);
  });
});

describe('the certificates for the Temporal server', () => {
  it('are accepted as files and as data', () => {
    const { key, cert } = createSelfSigned();

    const faults = temporalFaultsOf({
      TEMPORAL_TLS_CLIENT_CERT_PATH: fileWith('client.pem', cert),
      TEMPORAL_TLS_CLIENT_KEY_DATA: key,
      TEMPORAL_TLS_SERVER_CA_CERT_DATA: cert,
    });

    expect(faults).toEqual([]);
  });

  it('are refused when a file is missing, a half is missing, or the content is no PEM', () => {
    const faults = temporalFaultsOf({
      TEMPORAL_TLS_CLIENT_CERT_PATH: join(folder, 'missing.pem'),
      TEMPORAL_TLS_SERVER_CA_CERT_DATA: 'canary',
    });

    expect(faults).toEqual([
      expect.stringMatching(/^TEMPORAL_TLS_CLIENT_CERT_PATH: cannot be read \(.*ENOENT/),
      'TEMPORAL_TLS_SERVER_CA_CERT_DATA: must hold a certificate or key as PEM',
      'TEMPORAL_TLS_CLIENT_KEY_PATH: is missing; a client certificate and its key go together',
    ]);
  });

  it('are refused as a file and as data at once', () => {
    const { key, cert } = createSelfSigned();

    const faults = temporalFaultsOf({
      TEMPORAL_TLS_CLIENT_CERT_PATH: fileWith('client.pem', cert),
      TEMPORAL_TLS_CLIENT_CERT_DATA: cert,
      TEMPORAL_TLS_CLIENT_KEY_DATA: key,
    });

    expect(faults).toEqual([
      'TEMPORAL_TLS_CLIENT_CERT_PATH, TEMPORAL_TLS_CLIENT_CERT_DATA: both are set; set only one',
    ]);
  });
});

it('all faults of the Temporal server are listed at once, with the others', () => {
  const faults = faultsOf({
    GCORE_BASE_URL: 'x',
    TEMPORAL_TLS: 'no',
    TEMPORAL_ADDRESS: 'http://x',
    TEMPORAL_PROFILE: 'none',
    TEMPORAL_CONFIG_FILE: profiles,
    TEMPORAL_TLS_CLIENT_KEY_PATH: '/is/not/there',
  });

  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    'GCORE_API_KEY',
    'GCORE_BASE_URL',
    'TEMPORAL_TLS',
    'TEMPORAL_PROFILE',
    'TEMPORAL_ADDRESS',
    'TEMPORAL_TLS_CLIENT_KEY_PATH',
    'TEMPORAL_TLS_CLIENT_CERT_PATH',
  ]);
});
