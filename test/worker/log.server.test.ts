import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { resolveTemporalExecutable } from '../../src/dev/temporal-executable.js';
import { startTemporalServer, type TemporalServer } from '../../src/dev/temporal-server.js';
import { startWorkerProcess, type WorkerProcess } from '../support/workers/worker-process.js';

const entrySchema = z.looseObject({ time: z.string(), level: z.string(), message: z.string() });

let temporal: TemporalServer;
let worker: WorkerProcess;

beforeEach(async () => {
  const { path: executable } = await resolveTemporalExecutable({
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    path: process.env['PATH'],
  });
  temporal = await startTemporalServer({ executable });
  worker = startWorkerProcess({ GCORE_API_KEY: 'key', TEMPORAL_ADDRESS: temporal.address });
  await worker.says('Worker is ready');
});

afterEach(async () => {
  worker.child.kill('SIGKILL');
  await worker.exit;
  await temporal.close();
});

const entries = () => worker.lines.map((line) => entrySchema.parse(JSON.parse(line)));

describe('the log of the worker process', () => {
  it('is JSON on stderr alone, with few lines, while the server is away', async () => {
    await temporal.kill();
    await worker.says('"repeated"');

    const warnings = entries().filter(({ sdkComponent }) => sdkComponent === 'core');
    expect(worker.printed).toEqual([]);
    expect(warnings.length).toBeGreaterThan(0);
    // Two kinds of calls poll, and each may say two lines before the second window.
    expect(warnings.length).toBeLessThanOrEqual(8);
    expect(worker.lines.join('\n')).not.toContain('\u001b');
  });

  it('has no warning after an ordinary start and stop', async () => {
    worker.child.kill('SIGTERM');
    await worker.exit;

    expect(entries().filter(({ level }) => level !== 'INFO')).toEqual([]);
    expect(worker.printed).toEqual([]);
  });
});
