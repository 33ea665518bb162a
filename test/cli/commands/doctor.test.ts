import { describe, expect, it } from '@jest/globals';

import { runCaptured } from '../../support/cli/run-captured.js';

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
