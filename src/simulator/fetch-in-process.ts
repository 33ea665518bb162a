import type { Exchange } from './exchange.js';

/** `fetch` without a port. What goes wrong looks like it does with Node's own fetch. */
export function createFetch(exchange: Exchange): typeof globalThis.fetch {
  // Nothing else keeps a hanging request alive, and a collected request never hears of its abort.
  const hanging = new Set<unknown>();
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const outcome = await exchange(request);
    switch (outcome.kind) {
      case 'answered':
        return outcome.response;
      case 'dropped':
        throw new TypeError('fetch failed', { cause: connectionReset() });
      case 'hung': {
        const entry = { input, request };
        hanging.add(entry);
        return untilAborted(request.signal).finally(() => hanging.delete(entry));
      }
    }
  };
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
