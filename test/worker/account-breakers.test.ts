import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';

import { createAccountBreakers } from '../../src/worker/account-breakers.js';

const COLLECTIONS = ['tasks', 'projects', 'regions'];

function createRecorder() {
  const entries: LogEntry[] = [];
  const logger = new DefaultLogger('DEBUG', (entry) => entries.push(entry));
  return {
    breakers: createAccountBreakers({ name: 'default', requestsPerSecond: 10 }, logger),
    entries,
  };
}

describe('the log of a worker', () => {
  it('has one line for an outage, not one line for each call', async () => {
    const { breakers, entries } = createRecorder();

    for (let i = 0; i < 100; i++) {
      await breakers.run(`/cloud/v1/${COLLECTIONS[i % COLLECTIONS.length]}`, () =>
        Promise.resolve({ status: 503 }),
      );
      await delay(0);
    }

    expect(entries).toEqual([
      expect.objectContaining({
        level: 'WARN',
        message: 'The API does not answer; calls wait',
        meta: { account: 'default', area: 'cloud', since: expect.stringMatching(/Z$/) },
      }),
    ]);
  });

  it('has no line for a single resource that does not answer: its runs say so', async () => {
    const { breakers, entries } = createRecorder();

    for (let i = 0; i < 100; i++) {
      await breakers.run('/cloud/v1/tasks/1', () => Promise.resolve({ status: 503 }));
    }

    expect(entries).toEqual([]);
  });

  it('has one line for a refused key', async () => {
    const { breakers, entries } = createRecorder();

    for (let i = 0; i < 100; i++) {
      await breakers.run('cloud', () => Promise.resolve({ status: 401 }));
    }

    expect(entries).toEqual([
      expect.objectContaining({
        level: 'WARN',
        message: 'The API refuses the key of the account; its calls are held back',
        meta: { account: 'default', area: 'cloud', since: expect.stringMatching(/Z$/) },
      }),
    ]);
  });
});
