import { describe, expect, it } from '@jest/globals';

import { loadTemporalConfig } from '../../src/config.js';
import { faultsOf } from './config-faults.js';

const temporalFaultsOf = (environment: Record<string, string>) =>
  faultsOf({ GCORE_API_KEY: 'key', ...environment });

describe('a connection without TLS', () => {
  const refused = expect.stringMatching(
    /^TEMPORAL_TLS: must be true: .* unencrypted to .*GCORE_ALLOW_PLAIN_TEMPORAL=true$/,
  );

  it.each(['temporal.example.com:7233', '10.0.0.7:7233', 'temporal:7233', '[fe80::1]:7233'])(
    'to %s needs a setting that allows it',
    (address) => {
      const environment = { TEMPORAL_ADDRESS: address };

      expect(temporalFaultsOf(environment)).toEqual([refused]);
      expect(temporalFaultsOf({ ...environment, TEMPORAL_TLS: 'false' })).toEqual([refused]);
      for (const allowed of ['true', '1']) {
        const setting = { ...environment, GCORE_ALLOW_PLAIN_TEMPORAL: allowed };
        expect(temporalFaultsOf(setting)).toEqual([]);
      }
    },
  );

  it('is refused to commands too, which may name another address', () => {
    const command = () => loadTemporalConfig({}, { address: 'temporal.example.com:7233' });

    expect(command).toThrow('TEMPORAL_TLS: must be true');
  });

  it.each([
    [{ TEMPORAL_TLS: 'true' }],
    [{ TEMPORAL_API_KEY: 'a-key' }],
    [{ TEMPORAL_TLS_SERVER_NAME: 'temporal.example.com' }],
  ])('is none with %j: the SDK turns TLS on', (environment) => {
    const given = { TEMPORAL_ADDRESS: 'temporal.example.com:7233', ...environment };

    expect(temporalFaultsOf(given)).toEqual([]);
    expect(loadTemporalConfig(given).connectionOptions.tls).toBeTruthy();
  });

  it('is not allowed by a setting that is neither true nor false', () => {
    const environment = { GCORE_ALLOW_PLAIN_TEMPORAL: 'TRUE' };

    expect(temporalFaultsOf(environment)).toEqual([
      'GCORE_ALLOW_PLAIN_TEMPORAL: must be true or false, in lower case',
    ]);
  });
});
