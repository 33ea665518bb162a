import { isGrpcServiceError } from '@temporalio/client';

const UNAVAILABLE = 14;

/**
 * Asks again while the Temporal server is away. The SDK repeats a call for about 20 seconds; who
 * waits for the end of a run means longer.
 */
export async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isAway(error)) throw error;
    }
  }
}

function isAway(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code: number | undefined = isGrpcServiceError(cause) ? cause.code : undefined;
  return code === UNAVAILABLE;
}
