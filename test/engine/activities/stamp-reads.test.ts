import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { earlierProgress } from '../../../src/engine/activities/attempt.js';
import { answerOf } from '../../../src/engine/core/news.js';
import { stampReads } from '../../../src/engine/activities/registered-activities.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
} from '../../support/http/in-activity.js';
import { createScriptedApi, json } from '../../support/http/scripted-api.js';
import { withClockSetBy } from '../../support/timing/set-clock.js';
import { until } from '../../support/timing/until.js';

const STORAGE = { id: 7, name: 'films', provisioning_status: 'active', ssh_key_ids: [1] };

/** A read that sends this many requests, each at a later time than the one before. */
function readOf(count: number) {
  const { activities } = createScriptedApi(() => json(STORAGE));
  const times: number[] = [];
  const { read } = stampReads({
    read: async (): Promise<number> => {
      while (times.length < count) {
        await activities.getSftpStorage({ storageId: 7 });
        const answeredAt = Date.now();
        times.push(answeredAt);
        await until('the clock goes on', () => Date.now() > answeredAt);
      }
      return count;
    },
  });
  return { act: () => read(undefined), times };
}

describe('a read as the worker registers it', () => {
  it('says when its first request went out', async () => {
    const before = Date.now();
    const { act, times } = readOf(3);
    const environment = createActivityEnvironment({ currentAttemptScheduledTimestampMs: before });

    const { result, readAt } = await inActivity(act, environment);

    expect(result).toBe(3);
    expect(readAt).toBeGreaterThanOrEqual(before);
    expect(readAt).toBeLessThanOrEqual(times[0] ?? 0);
  });

  it('says it by the clock of the Temporal server, whatever the clock of this machine', async () => {
    const before = Date.now();
    const environment = createActivityEnvironment({ currentAttemptScheduledTimestampMs: before });

    const { readAt } = await withClockSetBy(3_600_000, () =>
      inActivity(readOf(1).act, environment),
    );

    expect(readAt).toBeGreaterThanOrEqual(before);
    expect(readAt).toBeLessThanOrEqual(Date.now());
  });

  it('says nothing when it has sent nothing', async () => {
    expect(await inActivity(readOf(0).act)).toEqual({ result: 0, readAt: null });
  });

  it('says nothing when an attempt before has sent a part', async () => {
    const environment = createActivityEnvironment({ heartbeatDetails: { progress: ['page 1'] } });

    expect(await inActivity(readOf(1).act, environment)).toEqual({ result: 1, readAt: null });
  });

  it('says it when the attempt before has only waited', async () => {
    const environment = createActivityEnvironment({ heartbeatDetails: { waiting: 'its turn' } });

    expect(await inActivity(readOf(1).act, environment)).toMatchObject({
      result: 1,
      readAt: expect.any(Number),
    });
  });
});

describe('a read that is asked for news', () => {
  const poll = {
    minMs: 10,
    maxMs: 60_000,
    shareOfElapsed: 0.5,
    typical: {},
    otherwise: { firstMs: 10, usualMs: 0 },
  };

  /** An attempt that comes this long after the wait began, which takes an hour. */
  function ask(given: { attempt: number; afterMs: number; answer: unknown }) {
    let reads = 0;
    const { read } = stampReads({
      read: () => {
        reads++;
        return Promise.resolve(given.answer);
      },
    });
    const since = Date.now() - given.afterMs;
    const news = { unlike: answerOf(['seen']), since, until: since + 3_600_000, poll };
    const act = () => read(undefined, news);
    const environment = createActivityEnvironment({ attempt: given.attempt });
    return { act, environment, reads: () => reads };
  }

  it('does not read in its first attempt: the run has just done so', async () => {
    const { act, environment, reads } = ask({ attempt: 1, afterMs: 0, answer: ['new'] });

    expect(await failureIn(act, environment)).toMatchObject({ type: 'NothingNew' });
    expect(reads()).toBe(0);
  });

  it('is repeated at a growing pace while the answer is the same, as an expected failure', async () => {
    const pauses = await Promise.all(
      [10_000, 1_000_000].map(async (afterMs) => {
        const { act, environment } = ask({ attempt: 2, afterMs, answer: ['seen'] });
        const failure = await failureIn(act, environment);
        expect(failure).toMatchObject({ category: 'BENIGN', nonRetryable: false });
        return Number(failure.nextRetryDelay);
      }),
    );

    expect(pauses[0]).toBeGreaterThan(3_000);
    expect(pauses[0]).toBeLessThan(7_000);
    expect(pauses[1]).toBe(60_000);
  });

  it('never pauses longer than the wait lasts', async () => {
    const { act, environment } = ask({ attempt: 2, afterMs: 3_599_500, answer: ['seen'] });

    const { nextRetryDelay } = await failureIn(act, environment);

    expect(nextRetryDelay).toBeLessThanOrEqual(500);
    expect(nextRetryDelay).toBeGreaterThan(0);
  });

  it.each([
    ['the answer is another one', { attempt: 2, afterMs: 10_000, answer: [] }],
    ['its time is over', { attempt: 9, afterMs: 3_600_001, answer: ['seen'] }],
  ])('ends when %s, without the answer', async (_, given) => {
    const { act, environment } = ask(given);

    expect(await inActivity(act, environment)).toEqual({ result: undefined, readAt: null });
  });

  it('takes nothing over that an attempt before has found', async () => {
    const { read } = stampReads({
      read: () => Promise.resolve(earlierProgress(z.array(z.string())) ?? 'nothing'),
    });
    const since = Date.now();
    const news = { unlike: answerOf('nothing'), since, until: since + 3_600_000, poll };
    const heartbeatDetails = { progress: ['page 1'] };
    const environment = createActivityEnvironment({ attempt: 2, heartbeatDetails });

    expect(await failureIn(() => read(undefined, news), environment)).toMatchObject({
      type: 'NothingNew',
    });
  });
});
