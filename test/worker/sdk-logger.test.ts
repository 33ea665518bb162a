import { describe, expect, it } from '@jest/globals';
import { DefaultLogger, LogTimestamp, type LogEntry } from '@temporalio/worker';

import { createSdkLogger } from '../../src/worker/sdk-logger.js';
import { until } from '../support/timing/until.js';

const NO_WORKFLOWS = 'No workflows registered, not polling for workflow tasks';

function loggerInto(entries: LogEntry[], windowMs?: number) {
  return createSdkLogger(new DefaultLogger('INFO', (entry) => entries.push(entry)), windowMs);
}

describe('the logger of the SDK', () => {
  it('keeps level, facts and time of an entry', () => {
    const entries: LogEntry[] = [];

    loggerInto(entries).warn('Activity failed', { attempt: 2, [LogTimestamp]: 5n });

    expect(entries).toEqual([
      { level: 'WARN', message: 'Activity failed', timestampNanos: 5n, meta: { attempt: 2 } },
    ]);
  });

  it('drops the warning that a worker for activities has no workflows', () => {
    const entries: LogEntry[] = [];

    loggerInto(entries).warn(NO_WORKFLOWS, { taskQueue: 'gcore-api-default' });

    expect(entries).toEqual([]);
  });

  it('keeps that warning for the worker that must have workflows', () => {
    const entries: LogEntry[] = [];

    loggerInto(entries).warn(NO_WORKFLOWS, { taskQueue: 'gcore-workflows' });

    expect(entries).toHaveLength(1);
  });

  it('writes the first of many equal warnings of Core, then one with their number', async () => {
    const entries: LogEntry[] = [];
    const logger = loggerInto(entries, 50);

    for (const tries of [6, 7, 8]) {
      logger.warn(`poll retried ${tries} times`, { sdkComponent: 'core' });
    }
    logger.warn('another message', { sdkComponent: 'core' });
    await until('the window has ended', () => entries.length === 3);

    expect(entries).toMatchObject([
      { message: 'poll retried 6 times' },
      { message: 'another message' },
      { message: 'poll retried 8 times', meta: { repeated: 2 } },
    ]);
  });

  it('writes each warning of the worker and of runs', () => {
    const entries: LogEntry[] = [];
    const logger = loggerInto(entries);

    for (const attempt of [1, 2]) {
      logger.warn('Activity failed', { sdkComponent: 'activity', attempt });
    }

    expect(entries).toHaveLength(2);
  });
});
