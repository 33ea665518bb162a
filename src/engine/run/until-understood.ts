import { sleep } from '@temporalio/workflow';

import { FailureType } from '../core/failures.js';
import { failureOf, failureTypeOf } from './failures.js';

/** Pauses before the next tries, in milliseconds: a minute in all. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;

/**
 * The same read, which an answer of unknown form fails only after a minute: it may be a passing one. Called again, it has
 * no more time.
 */
export function untilUnderstood<T>(read: () => Promise<T>): () => Promise<T> {
  const pauses = PAUSES.values();
  return async () => {
    for (;;) {
      try {
        return await read();
      } catch (error) {
        const pause = pauses.next();
        const isOdd = failureTypeOf(error) === FailureType.unexpectedResponse;
        if (!isOdd || pause.done === true) throw error;
        await sleep(pause.value, { summary: `${failureOf(error)?.message ?? ''}: next try` });
      }
    }
  };
}
