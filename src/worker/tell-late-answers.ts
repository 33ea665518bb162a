import { performance } from 'node:perf_hooks';

import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';

import { ASKED_AT_HEADER, type LateAnswer } from '../engine/core/late-answer.js';

/**
 * A workflow task is prolonged after eight seconds. What asks again in the same task, as this answer was not late, has an answer
 * or none before that: see `engine/run/local-activities`.
 */
const LATE_AFTER_MS = 2_500;
const MOST_REMEMBERED = 50;

/**
 * Says of the answer of a local activity that it comes late: seconds later after the time of its run than others do. The time is
 * the server's: a clock that is off shows in all of them.
 */
export function createLateAnswers(
  now: () => number = createSteadyClock(),
): (context: { info: { isLocal: boolean } }) => ActivityInterceptors {
  let usual: number[] = [];
  const isLate = (askedAt: number): boolean => {
    const after = now() - askedAt;
    const least = usual.length === 0 ? 0 : Math.min(...usual);
    usual = [...usual, after].slice(-MOST_REMEMBERED);
    return after - least > LATE_AFTER_MS;
  };
  return ({ info }) =>
    info.isLocal
      ? {
          inbound: {
            async execute(input, next): Promise<unknown> {
              const answer: unknown = await next(input);
              const askedAt = askedAtOf(input.headers);
              if (askedAt === undefined || !isLate(askedAt)) return answer;
              return { isLateAnswer: true, answer } satisfies LateAnswer;
            },
          },
        }
      : {};
}

function askedAtOf(headers: Headers): number | undefined {
  const payload = headers[ASKED_AT_HEADER];
  if (payload === undefined) return undefined;
  const askedAt: unknown = defaultPayloadConverter.fromPayload(payload);
  return typeof askedAt === 'number' ? askedAt : undefined;
}

/** The time of day as it was told at first: nobody sets this clock. */
function createSteadyClock(): () => number {
  const began = Date.now() - performance.now();
  return () => began + performance.now();
}
