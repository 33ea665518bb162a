import { GrpcCode, grpcCodeOf } from './grpc-code.js';

/** A server that has too much to do refuses what waits first: 1,200 open calls a namespace by default. */
const PASSES: ReadonlySet<number | undefined> = new Set([
  GrpcCode.resourceExhausted,
  GrpcCode.unavailable,
]);

/**
 * Asks again while the Temporal server is away or has too much to do. The SDK repeats a call for
 * about 20 seconds, with pauses that grow; who waits for the end of a run means longer.
 * @param onAway told each time that the SDK has given up.
 */
export async function outlastServerOutage<T>(
  ask: () => Promise<T>,
  onAway?: () => void,
): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!PASSES.has(grpcCodeOf(error))) throw error;
      onAway?.();
    }
  }
}
