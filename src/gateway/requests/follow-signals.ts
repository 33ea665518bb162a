export interface Following {
  signal: AbortSignal;
  /** Aborts this signal, and not those that it follows. */
  abort: () => void;
  letGo: () => void;
}

/** A signal that follows others until it is let go. `AbortSignal.any` would be kept by the longest-lived of them. */
export function followSignals(...signals: AbortSignal[]): Following {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  for (const signal of signals) {
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  }
  return {
    signal: controller.signal,
    abort,
    letGo: () => {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    },
  };
}
