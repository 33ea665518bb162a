import { GrpcCode, grpcCodeOf } from './grpc-code.js';

/** A busy server refuses waiting calls first: by default it takes 1,200 open calls per namespace. */
const TRANSIENT: ReadonlySet<number | undefined> = new Set([
  GrpcCode.resourceExhausted,
  GrpcCode.unavailable,
]);

/**
 * Repeats a call while the Temporal server is away or overloaded. The SDK itself retries for about
 * 20 seconds only, and a run may take much longer.
 * @param onAway called each time the SDK has given up.
 */
export async function outlastServerOutage<T>(
  ask: () => Promise<T>,
  onAway?: () => void,
): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!TRANSIENT.has(grpcCodeOf(error))) throw error;
      onAway?.();
    }
  }
}
