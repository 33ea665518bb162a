import type { Exchange } from './exchange.js';
import type { Outcome } from './outcome.js';

/** `fetch` without a port. What goes wrong looks like it does with Node's own fetch. */
export function createFetch(exchange: Exchange): typeof globalThis.fetch {
  // Nothing else keeps a request without an answer alive, and a collected one never hears of its abort.
  const unanswered = new Set<unknown>();
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const entry = { input, request };
    unanswered.add(entry);
    // A client that goes away does not wait for a late answer; the exchange goes on all the same.
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
      // The reason is the caller's own value and has to reach it unchanged.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(signal.reason);
    };
    if (signal.aborted) rejectWithReason();
    else signal.addEventListener('abort', rejectWithReason, { once: true });
  });
}
