import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { runCaptured } from '../../support/cli/run-captured.js';

/** Nothing listens there. */
const NOWHERE = ['--address', '127.0.0.1:1'];

describe('plan', () => {
  it('takes its input from a file, from -f, and from stdin', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cli-'));
    const file = join(folder, 'input.json');
    await writeFile(file, '{"instance": 1}');
    const plan = ['plan', 'provisionInstance'];

    const plans = [
      await runCaptured([...plan, file, ...NOWHERE]),
      await runCaptured([...plan, '-f', file, ...NOWHERE]),
      await runCaptured([...plan, '-f', '-', ...NOWHERE], { stdin: '{"instance": 1}' }),
    ];

    for (const { exitCode, stderr } of plans) {
      expect(exitCode).toBe(5);
      expect(stderr).toContain('instance');
      expect(stderr).toContain('must be an object');
    }
    await rm(folder, { recursive: true });
  });

  it.each([
    ['no file', [], 'The input file is missing.'],
    ['two files', ['a.json', '-f', 'b.json'], 'Two input files are named.'],
  ])('refuses %s', async (_what, files, message) => {
    const { exitCode, stderr } = await runCaptured(['plan', 'provisionInstance', ...files]);

    expect(exitCode).toBe(64);
    expect(stderr).toContain(message);
  });
});
