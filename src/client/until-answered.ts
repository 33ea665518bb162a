import { grpcCodeOf } from './grpc-code.js';

const UNAVAILABLE = 14;

/**
 * Asks again while the Temporal server is away. The SDK repeats a call for about 20 seconds; who
 * waits for the end of a run means longer.
 * @param onAway told each time that the SDK has given up.
 */
export async function untilAnswered<T>(ask: () => Promise<T>, onAway?: () => void): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (grpcCodeOf(error) !== UNAVAILABLE) throw error;
      onAway?.();
    }
  }
}
