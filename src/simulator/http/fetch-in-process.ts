import type { Exchange } from './exchange.js';
import type { Outcome } from './outcome.js';

/** `fetch` without a port. Its errors look like those of Node's `fetch`. */
export function createFetch(exchange: Exchange): typeof globalThis.fetch {
  // Keeps unanswered requests alive: the abort of a garbage-collected request would be lost.
  const unanswered = new Set<unknown>();
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const entry = { input, request };
    unanswered.add(entry);
    // A client that disconnects does not wait for a late answer, but the exchange goes on.
    const answer = exchange(request).then((outcome) => toResponse(outcome, request.signal));
    return Promise.race([answer, untilAborted(request.signal)]).finally(() =>
      unanswered.delete(entry),
    );
  };
}

function toResponse(outcome: Outcome, signal: AbortSignal): Response | Promise<never> {
  switch (outcome.kind) {
    case 'answered':
      return outcome.response;
    case 'dropped':
      throw new TypeError('fetch failed', { cause: connectionReset() });
    case 'hung':
      return untilAborted(signal);
  }
}

function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const rejectWithReason = (): void => {
      // The reason is the caller's own value and must reach the caller unchanged.
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      reject(signal.reason);
    };
    if (signal.aborted) rejectWithReason();
    else signal.addEventListener('abort', rejectWithReason, { once: true });
  });
}
