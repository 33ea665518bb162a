import { afterEach, describe, expect, it } from '@jest/globals';

import { runCaptured } from '../../support/cli/run-captured.js';

const PROXY = ['http_proxy', 'HTTPS_PROXY'];

describe('doctor behind a proxy', () => {
  const before = PROXY.map((name) => [name, process.env[name]] as const);
  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });
  it('says that the API is called without one', async () => {
    for (const name of PROXY) process.env[name] = 'http://127.0.0.1:1';
    const services = { checkApi: () => Promise.resolve([]) };
    const asked = ['doctor', '--address', '127.0.0.1:1'];
    const { stdout } = await runCaptured(asked, { services });

    expect(stdout).toContain('No Temporal server answers at 127.0.0.1:1 (waited 5 seconds).');
    expect(stdout).toMatch(/\? +proxy +HTTPS_PROXY: is not used: workers reach the API/);
  });
});

describe('doctor without a Temporal server', () => {
  it('still makes the other checks, and says which it cannot make', async () => {
    const services = {
      checkApi: () =>
        Promise.resolve([
          { name: 'API key', state: 'fault' as const, text: 'refused', advice: 'set it' },
        ]),
    };

    const { exitCode, stdout, stderr } = await runCaptured(['doctor', '--address', '127.0.0.1:1'], {
      services,
    });

    expect(exitCode).toBe(1);
    expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['fault', 'Temporal', expect.stringContaining('127.0.0.1:1')],
      [expect.stringContaining('what to do: Start one')],
      ...['namespace', 'search attributes', 'workers', 'version'].map((name) => [
        ...['?', name, 'cannot be checked without the Temporal server'],
      ]),
      ['fault', 'API key', 'refused'],
      ['what to do: set it'],
      [''],
    ]);
    expect(stderr).toContain('Not in order: Temporal, API key.');
  });
});
