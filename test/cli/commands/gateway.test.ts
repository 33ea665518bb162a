import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { runGateway } from '../../../src/gateway/run-gateway.js';
import { runCaptured } from '../../support/cli/run-captured.js';

const services = { runGateway };

describe('gateway', () => {
  it('does not listen elsewhere than on loopback without tokens', async () => {
    const { exitCode, stderr } = await runCaptured(['gateway', '--host', '0.0.0.0'], { services });

    expect(exitCode).toBe(64);
    expect(stderr).toContain('--host 0.0.0.0 needs --tokens FILE');
  });

  it('names every fault of its token file, and no value of it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-'));
    const file = join(folder, 'tokens.json');
    const tokens = [
      { name: 'a b', sha256: 'canary', scopes: ['read'], expires: 'never' },
      { name: 'b', sha256: 'a'.repeat(64), scopes: ['all'], expires: 'tomorrow-canary' },
    ];
    await writeFile(file, JSON.stringify({ tokens }));

    const { exitCode, stderr } = await runCaptured(['gateway', '--tokens', file], { services });

    expect(exitCode).toBe(64);
    for (const place of ['[0].name', '[0].sha256', '[1].scopes[0]', '[1].expires']) {
      expect(stderr).toContain(`--tokens ${file}: tokens${place}: `);
    }
    expect(stderr).toContain('4 faults');
    expect(stderr).not.toContain('canary');
    await rm(folder, { recursive: true });
  });
});
