import { describe, expect, it } from '@jest/globals';

import { stampReads } from '../../../src/engine/activities/registered-activities.js';
import { createActivityEnvironment, inActivity } from '../../support/http/in-activity.js';
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
