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
  /** Makes a call. */
  call: <T>(work: () => Promise<T>) => Promise<T>;
  /** Resolves when no call is open. */
  settled: () => Promise<void>;
}

export function trackCalls(): Calls {
  const open = new Set<Promise<unknown>>();
  return {
    async call(work) {
      const result = work();
      const settle = (): void => void open.delete(settled);
      const settled: Promise<unknown> = result.then(settle, settle);
      open.add(settled);
      return result;
    },
    async settled() {
      await Promise.all(open);
    },
  };
}

/**
 * The requests of this connection end with `closing`. Each has its own signal, because the SDK leaves a listener behind with
 * every request, which holds the request and its answer: one signal for a call of many requests would keep all that they
 * have read until its end, a gigabyte of histories. It follows `closing` only while the request is open.
 * `AbortSignal.any` would keep it as long as `closing` lives: a gateway grew by 25 MiB a minute.
 */
export function endRequestsWith(closing: AbortSignal, connection: Requesting): void {
  // Many requests may be open at a time.
  setMaxListeners(0, closing);
  for (const service of [connection.workflowService, connection.operatorService]) {
    // The connection hands out objects with a function for each request.
    for (const [name, send] of Object.entries<unknown>({ ...service })) {
      if (!isRequest(name, send)) continue;
      const request = (...args: unknown[]) =>
        endingWith(closing, connection, () => send.apply(service, args));
      Object.assign(service, { [name]: request });
    }
  }
}

type Request = (this: unknown, ...args: unknown[]) => Promise<unknown>;

/** What a service sends them with is a function too. */
function isRequest(name: string, value: unknown): value is Request {
  return typeof value === 'function' && name !== 'rpcImpl';
}

async function endingWith<T>(
  closing: AbortSignal,
  connection: Pick<Connection, 'withAbortSignal'>,
  send: () => Promise<T>,
): Promise<T> {
  closing.throwIfAborted();
  const own = new AbortController();
  const end = (): void => {
    own.abort(closing.reason);
  };
  closing.addEventListener('abort', end);
  try {
    return await connection.withAbortSignal(own.signal, send);
  } finally {
    closing.removeEventListener('abort', end);
  }
}

interface Requesting extends Pick<Connection, 'withAbortSignal'> {
  workflowService: object;
  operatorService: object;
}
