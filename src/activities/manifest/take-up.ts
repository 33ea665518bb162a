import { performance } from 'node:perf_hooks';

import { pause, repeatAfterMs } from '../../engine/http/patient-reads.js';

export interface TakeUpOptions {
  /** Opens the rest, without its first `read` bytes. Throws when it is not provably the same content. */
  openRest: (read: number) => Promise<AsyncIterable<Uint8Array>>;
  /** Whether a broken connection may be taken up. */
  mayTakeUp: (error: unknown) => boolean;
}

/**
 * The bytes of a large file. When the connection breaks, a new one goes on where it broke, as long as each
 * brings at least a byte: a file that takes longer than connections hold would begin anew for ever.
 */
export async function* takeUp(
  first: AsyncIterable<Uint8Array>,
  { openRest, mayTakeUp }: TakeUpOptions,
): AsyncGenerator<Uint8Array> {
  let bytes = first;
  let read = 0;
  for (;;) {
    const begun = read;
    try {
      for await (const chunk of bytes) {
        read += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      if (read === begun || !mayTakeUp(error)) throw error;
    }
    bytes = await openRest(read);
  }
}

/** For the request that takes up a stream. `stopped` ends a wait. */
export async function repeatWhilePassing<T>(
  act: () => Promise<T>,
  stopped: AbortSignal,
): Promise<T> {
  const since = performance.now();
  for (let failures = 1; ; failures++) {
    try {
      return await act();
    } catch (error) {
      const failingMs = performance.now() - since;
      const waitMs = repeatAfterMs(error, { failures, failingMs, leftMs: Infinity });
      if (waitMs === undefined) throw error;
      await pause(waitMs, stopped);
    }
  }
}
