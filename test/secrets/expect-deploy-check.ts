import { resolve } from 'node:path';

import { expect } from '@jest/globals';

import type { ReplayService } from '../../src/cli/services.js';
import { replayOpenRuns } from '../../src/worker/replay-open-runs.js';
import { runCaptured } from '../support/cli/run-captured.js';

/** With the keys the open runs replay. Without them the check is no yes, and blames no code. */
export async function expectDeployCheck(server: readonly string[], waiting: string): Promise<void> {
  const bundlePath = resolve('dist/workflow-bundle-encrypted.js');
  const services = {
    replayOpenRuns: (service: ReplayService) => replayOpenRuns({ ...service, bundlePath }),
  };
  const command = ['deploy', 'check', '-o', 'json', ...server];
  const good = await runCaptured(command, { services });
  const keysFile = process.env['GCORE_CODEC_KEYS_FILE'];
  delete process.env['GCORE_CODEC_KEYS_FILE'];
  const locked = await runCaptured(command, { services });
  process.env['GCORE_CODEC_KEYS_FILE'] = keysFile;

  expect([good.stderr, good.exitCode]).toEqual(['', 0]);
  expect(JSON.parse(good.stdout)).toMatchObject({ broken: [], unreadable: [] });
  expect(locked).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('DecryptionFailed'),
  });
  expect(JSON.parse(locked.stdout)).toMatchObject({
    broken: [],
    unreadable: expect.arrayContaining([
      expect.objectContaining({
        workflowId: waiting,
        reason: expect.stringContaining('this program has no keys'),
      }),
    ]),
  });
}
