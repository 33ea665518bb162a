import { setMaxListeners } from 'node:events';

import { isGrpcServiceError, type Client, type Connection } from '@temporalio/client';

/** The gRPC codes that this client tells apart (https://grpc.io/docs/guides/status-codes/). */
export const GrpcCode = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The gRPC status of a failed call to the Temporal server; `undefined` for any other error. */
export function grpcCodeOf(error: unknown): number | undefined {
  return grpcErrorOf(error)?.code;
}

/**
 * What the server says when it asks no worker for a run: its history has not begun, its workflow task fails, nobody polls
 * its queue, or it takes no more updates. `undefined` for any other error.
 */
export function notAskedBecause(error: unknown): string | undefined {
  const refused = grpcErrorOf(error);
  if (refused?.code !== GrpcCode.failedPrecondition) return undefined;
  return textOf(refused);
}

/** Whether an answer is longer than a connection takes: the same call has the same one again. */
export function isTooLong({ code, details }: { code: number; details: string }): boolean {
  return code === GrpcCode.resourceExhausted && details.includes('larger than max');
}

export function hasTooLongAnswer(error: unknown): boolean {
  const failed = grpcErrorOf(error);
  return failed !== undefined && isTooLong({ code: failed.code, details: textOf(failed) });
}

/** A connection of a worker has the text in the message alone. */
function textOf({ details, message }: { details: string; message: string }): string {
  return details || message;
}

function grpcErrorOf(
  error: unknown,
): { code: number; details: string; message: string } | undefined {
  if (isGrpcServiceError(error)) return error;
  return error instanceof Error && error.cause !== undefined ? grpcErrorOf(error.cause) : undefined;
}

/** Calls to the Temporal server that must not hang: after this time they fail as DEADLINE_EXCEEDED. */
export function withDeadline<T>(client: Client, ms: number, call: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + ms, call);
}

/** For who asks a worker that may not be there: the server lets a query wait for half a minute, and the end of a run for ever. */
export interface AskOptions {
  /** The call ends then, at the server too; by default when the server ends it. */
  withinMs?: number;
}

export function askedWithin<T>(
  client: Client,
  { withinMs }: AskOptions,
  call: () => Promise<T>,
): Promise<T> {
  return withinMs === undefined ? call() : withDeadline(client, withinMs, call);
}

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

/** The open calls of one connection. */
export interface Calls {
  /** Makes a call that ends with `closing`. */
  call: <T>(work: () => Promise<T>) => Promise<T>;
  /** Resolves when no call is open. */
  settled: () => Promise<void>;
}

/**
 * Each call has its own signal, because the SDK leaves a listener behind with every request. The signal follows
 * `closing` only while the call is open. `AbortSignal.any` would keep it, and all that its listeners hold,
 * as long as `closing` lives: a gateway grew by 25 MiB a minute.
 */
export function trackCalls(
  connection: Pick<Connection, 'withAbortSignal'>,
  closing: AbortSignal,
): Calls {
  const open = new Set<Promise<unknown>>();
  // Many calls may be open at a time.
  setMaxListeners(0, closing);
  return {
    call(work) {
      const own = new AbortController();
      setMaxListeners(0, own.signal);
      const end = (): void => {
        own.abort(closing.reason);
      };
      if (closing.aborted) end();
      closing.addEventListener('abort', end);
      const result = connection.withAbortSignal(own.signal, work);
      const settle = (): void => {
        closing.removeEventListener('abort', end);
        open.delete(settled);
      };
      const settled: Promise<unknown> = result.then(settle, settle);
      open.add(settled);
      return result;
    },
    async settled() {
      await Promise.all(open);
    },
  };
}
