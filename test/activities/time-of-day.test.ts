import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

/**
 * Files that read the time of day, and why. A duration in one process is monotonic (`performance.now`): a clock
 * that is set must neither lengthen nor shorten it.
 */
const REASONS: Record<string, string> = {
  'engine/activities/attempt.ts': 'the clock of the server, where no server is known',
  'engine/http/breaker-set.ts': 'text: since when there is no answer',
  'engine/http/deadline.ts': 'Retry-After may be a date',
  'engine/http/freeze-watch.ts': 'a machine that sleeps stops the monotonic clock',
  'engine/http/refused-key.ts': 'text: since when it is shut',
  'engine/http/learned-pace.ts': 'text: since when the API limits the rate',
  'engine/http/patient-reads.ts': 'text: when the read is repeated',
  'engine/activities/webhooks/send-webhook.ts':
    'the time of the signature; Retry-After may be a date',
  'worker/arrived-in-clear.ts': 'gRPC deadlines are times of day',
  'worker/build-bundle.ts': 'compares with times of files',
  'worker/check-account.ts': 'compares this clock with that of the API',
  'worker/cut-short.ts': 'gRPC deadlines are times of day',
  'worker/repeat-watches.ts': 'gRPC deadlines are times of day',
  'worker/health/ask-queue.ts': 'gRPC deadlines are times of day',
  'worker/health/server-clock.ts': 'compares this clock with that of the Temporal server',
  'worker/health/worker-health.ts': 'compares with times of the Temporal server',
  'worker/identity.ts': 'orders processes by their start',
  'worker/left-watches.ts': 'gRPC deadlines are times of day',
  'worker/metrics/count-runs.ts': 'gRPC deadlines are times of day',
  'worker/metrics/process-metrics.ts': 'a metric with a time of day',
  'worker/peers.ts': 'gRPC deadlines are times of day',
  'worker/prove-current.ts': 'gRPC deadlines are times of day',
  'worker/secrets-of-run.ts': 'gRPC deadlines are times of day',
  'worker/tell-late-answers.ts': 'compares with the time of the server, told once',
  'worker/upload-source.ts': 'gRPC deadlines are times of day',
  'worker/lease-calls.ts': 'gRPC deadlines are times of day',
  'worker/worker-version.ts': 'gRPC deadlines are times of day',
};

const FOLDERS = ['engine/activities', 'engine/http', 'activities', 'worker'];

async function readersOf(folder: string): Promise<string[]> {
  const entries = await readdir(join('src', folder), { recursive: true });
  const files = entries.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
  const texts = await Promise.all(files.map((file) => readFile(join('src', file), 'utf8')));
  return files.filter((_file, index) => /\bDate\.now\b|new Date\(/.test(texts[index] ?? ''));
}

describe('activities and workers', () => {
  it('read the time of day only where a time of day is meant', async () => {
    const found = await Promise.all(FOLDERS.map(readersOf));

    expect(found.flat().sort()).toEqual(Object.keys(REASONS).sort());
  });
});
