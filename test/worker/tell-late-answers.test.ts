import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';

import { ASKED_AT_HEADER } from '../../src/engine/core/late-answer.js';
import { createLateAnswers } from '../../src/worker/tell-late-answers.js';

/** A worker, by whose clock answers come these milliseconds after the time of the run that asks. */
function createWorker({ isLocal = true } = {}) {
  let after = 0;
  const factory = createLateAnswers(() => after);
  const answerAfter = async (
    ms: number,
    headers: Headers = { [ASKED_AT_HEADER]: payloadOf(0) },
  ) => {
    after = ms;
    const { inbound } = factory({ info: { isLocal } });
    const next = () => Promise.resolve('prepared');
    return inbound?.execute?.({ args: [], headers }, next) ?? next();
  };
  return { answerAfter };
}

const payloadOf = (value: number) => defaultPayloadConverter.toPayload(value);
const LATE = { isLateAnswer: true, answer: 'prepared' };

describe('the answer of a local activity', () => {
  it('is called late when it comes seconds after the time of its task', async () => {
    const { answerAfter } = createWorker();

    expect(await answerAfter(40)).toBe('prepared');
    expect(await answerAfter(2_500)).toBe('prepared');
    expect(await answerAfter(12_000)).toEqual(LATE);
    expect(await answerAfter(12_100)).toEqual(LATE);
  });

  it('is called late also when it is the first one of its process', async () => {
    expect(await createWorker().answerAfter(12_000)).toEqual(LATE);
  });

  it.each([60_000, -60_000])('is in time where the clock is %i ms off', async (offMs) => {
    const { answerAfter } = createWorker();
    await answerAfter(offMs);

    expect(await answerAfter(offMs + 40)).toBe('prepared');
    expect(await answerAfter(offMs + 12_000)).toEqual(LATE);
  });

  it('says nothing where nobody has told the time, or the activity is no local one', async () => {
    expect(await createWorker().answerAfter(12_000, {})).toBe('prepared');
    expect(await createWorker({ isLocal: false }).answerAfter(12_000)).toBe('prepared');
  });
});
