/** Thrown at the end of the time. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

export interface DeadlineOptions {
  ms: number;
  /** Aborts when the caller is cancelled. */
  cancelled: AbortSignal;
}

/**
 * Owns the time of a call. Its timer holds everything that it needs. In Node the links between a
 * `Request`, its signal and the body of its answer are weak: a garbage collection may cut them. So no
 * wait may rely on `signal` alone.
 */
export interface Deadline {
  /** Aborts at the end of the time or when the caller is cancelled. Frees sockets and streams. */
  signal: AbortSignal;
  /** Rejects at the end of the time with `OutOfTime`, and when the caller is cancelled with its reason. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Stops the clock. */
  end(): void;
}

export function startDeadline({ ms, cancelled }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  let stop: (reason: Error) => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = (reason) => {
      reject(reason);
      controller.abort(reason);
    };
  });
  // The time may end while nobody waits.
  stopped.catch(() => undefined);
  const cancel = (): void => {
    stop(toError(cancelled.reason));
  };
  const timer = setTimeout(() => {
    stop(new OutOfTime(`No end within ${ms} ms`));
  }, ms);
  cancelled.addEventListener('abort', cancel);
  if (cancelled.aborted) cancel();
  return {
    signal: controller.signal,
    race: (promise) => Promise.race([promise, stopped]),
    end: () => {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', cancel);
    },
  };
}

/** Runs `act` within a deadline of its own. */
export async function withDeadline<T>(
  options: DeadlineOptions,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  options.cancelled.throwIfAborted();
  const deadline = startDeadline(options);
  try {
    return await deadline.race(act(deadline.signal));
  } finally {
    deadline.end();
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException(String(reason), 'AbortError');
}
