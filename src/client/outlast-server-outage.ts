import { GrpcCode, grpcCodeOf } from './grpc-code.js';

/** A busy server refuses waiting calls first: by default it takes 1,200 open calls per namespace. */
const TRANSIENT: ReadonlySet<number | undefined> = new Set([
  GrpcCode.resourceExhausted,
  GrpcCode.unavailable,
]);

/**
 * A server takes longer to miss its own deadline. A faster answer means that the caller has set a
 * deadline with `withDeadline`, and that it has passed.
 */
const CALLER_IS_LATE_WITHIN_MS = 100;

/**
 * Repeats a call while the Temporal server is away or overloaded. The SDK itself retries for about
 * 20 seconds only, and not after DEADLINE_EXCEEDED, and a run may take much longer.
 * @param onAway called each time the SDK has given up.
 */
export async function outlastServerOutage<T>(
  ask: () => Promise<T>,
  onAway?: () => void,
): Promise<T> {
  for (;;) {
    const askedAt = performance.now();
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error, performance.now() - askedAt)) throw error;
      onAway?.();
    }
  }
}

function mayPass(error: unknown, tookMs: number): boolean {
  const code = grpcCodeOf(error);
  if (code === GrpcCode.deadlineExceeded) return tookMs > CALLER_IS_LATE_WITHIN_MS;
  return TRANSIENT.has(code);
}
