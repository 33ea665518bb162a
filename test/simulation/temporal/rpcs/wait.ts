import type { Server } from '../model/server.js';

export interface Wait<T> {
  /** The answer where it is there, otherwise undefined. Throws where there will never be one. */
  check: () => T | undefined;
  /** Has `wake` called at the next change. */
  watch: (wake: () => void) => void;
  unwatch: (wake: () => void) => void;
  ms: number;
  signal: AbortSignal | undefined;
}

/** Waits for an answer. Undefined once the time is over, or nobody listens any more. */
export async function waitFor<T>(server: Server, wait: Wait<T>): Promise<T | undefined> {
  const endsAt = server.clock.now() + wait.ms;
  for (;;) {
    const answer = wait.check();
    if (answer !== undefined) return answer;
    const left = endsAt - server.clock.now();
    if (left <= 0 || wait.signal?.aborted === true) return undefined;
    await nextChange(server, wait, left);
  }
}

function nextChange<T>(server: Server, wait: Wait<T>, left: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      wait.unwatch(wake);
      wait.signal?.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = server.clock.after(left, wake);
    wait.watch(wake);
    wait.signal?.addEventListener('abort', wake, { once: true });
  });
}
