import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { MockActivityEnvironment } from '@temporalio/testing';

import { type ApiActivities, createTaskReads } from '../../src/activities/index.js';
import { ACTIVITY_EXCHANGES } from './activity-exchanges-table.js';
import { createActivityEnvironment, inActivity } from '../support/http/in-activity.js';
import { MANY_EXCHANGES, type ManyExchanges } from './many-exchanges.js';
import { createScriptedApi, json } from '../support/http/scripted-api.js';

const MINUTES_MS = 1_800_000;
/** Each third read is answered with 503, so half as many again are needed. */
const EVERY = 3;

/** Repeats the attempts as Temporal does: with the details of the last heartbeat. */
async function callUntilDone(
  { call }: ManyExchanges,
  activities: ApiActivities,
  onAttempt: (environment: MockActivityEnvironment) => void = () => undefined,
) {
  let details: unknown;
  for (let attempt = 1; attempt <= 50; attempt++) {
    const environment = createActivityEnvironment({
      attempt,
      heartbeatDetails: details,
      startToCloseTimeoutMs: MINUTES_MS,
    });
    environment.on('heartbeat', (sent: unknown) => {
      details = sent;
    });
    onAttempt(environment);
    try {
      const result = await inActivity(() => call(activities), environment);
      return { result, attempts: attempt, details };
    } catch (error) {
      if (error instanceof ApplicationFailure && error.nonRetryable === true) throw error;
    }
  }
  throw new Error('The activity never ends');
}

/** A call, and what it gives without faults. Its API does not change, so all tests of it share it. */
function caseOf(name: string, createCase: () => Promise<ManyExchanges>) {
  const known = cases.get(name) ?? createCase().then(callPlainly);
  cases.set(name, known);
  return known;
}

async function callPlainly(many: ManyExchanges) {
  const { activities, requests } = createScriptedApi(many.answer);
  const { result } = await callUntilDone(many, activities);
  return { many, plain: { result, reads: requests.length } };
}

const cases = new Map<string, ReturnType<typeof callPlainly>>();

describe('an API that answers each third read with 503', () => {
  it.each(Object.entries(MANY_EXCHANGES))('lets %s end', async (name, createCase) => {
    const { many, plain } = await caseOf(name, createCase);
    let reads = 0;
    const { activities } = createScriptedApi((request) => {
      reads += 1;
      return reads % EVERY === 0 ? json({}, 503) : many.answer(request);
    });

    const { result } = await callUntilDone(many, activities);

    expect(result).toEqual(plain.result);
    expect(reads).toBeLessThanOrEqual(Math.ceil(plain.reads * 1.5));
  });
});

describe('an activity that is interrupted again and again', () => {
  const names = Object.entries(MANY_EXCHANGES).filter(([name]) =>
    Object.entries(ACTIVITY_EXCHANGES).some(
      ([other, { way }]) => other === name && way === 'goes on from heartbeat',
    ),
  );
  const READS_BETWEEN = 10;

  it.each(names)('goes on where it was: %s', async (name, createCase) => {
    const { many, plain } = await caseOf(name, createCase);
    let reads = 0;
    let interrupt = (): void => undefined;
    const { activities } = createScriptedApi((request) => {
      reads += 1;
      if (reads % READS_BETWEEN === 0) interrupt();
      return many.answer(request);
    });

    const { result, attempts } = await callUntilDone(many, activities, (environment) => {
      interrupt = () => {
        environment.cancel();
      };
    });

    expect(result).toEqual(plain.result);
    expect(attempts).toBeGreaterThan(3);
    // Of a video marker, the first page is lost too.
    const { again = 2 } = many;
    expect(reads).toBeLessThanOrEqual(plain.reads + again * attempts);
  });

  it.each(names)('begins anew after details of another version: %s', async (name, createCase) => {
    const { many, plain } = await caseOf(name, createCase);
    const { activities, requests } = createScriptedApi(many.answer);

    for (const progress of [{ version: 99 }, 'x', { done: -1, items: 45, marks: '?' }, null]) {
      const environment = createActivityEnvironment({ heartbeatDetails: { progress } });
      const result = await inActivity(() => many.call(activities), environment);
      expect(result).toEqual(plain.result);
    }

    expect(requests).toHaveLength(4 * plain.reads);
  });
});

describe('a list of the task watcher', () => {
  it('ends although each third page is answered with 503', async () => {
    let reads = 0;
    const total = 7_000;
    const { api } = createScriptedApi(({ url }) => {
      reads += 1;
      if (reads % EVERY === 0) return json({}, 503);
      const offset = Number(new URL(url).searchParams.get('offset'));
      const results = Array.from({ length: Math.min(total - offset, 1_000) }, (_, at) => ({
        id: `task-${offset + at}`,
        task_type: 'create_vm',
        state: 'RUNNING',
      }));
      return json({ count: total, results });
    });

    const environment = createActivityEnvironment({ startToCloseTimeoutMs: MINUTES_MS });
    const ids = await inActivity(() => createTaskReads({ api }).listActiveTaskIds(), environment);

    expect(ids).toHaveLength(total);
    expect(reads).toBe(11);
  });
});
