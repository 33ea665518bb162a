/** Reads what changes by itself, for gauges. */
export interface Sampler {
  /** Reads now, and again and again. */
  add: (read: () => void) => void;
  stop: () => void;
}

/** As often as Prometheus usually scrapes. */
const EVERY_MS = 15_000;

export function createSampler(everyMs = EVERY_MS): Sampler {
  const reads: (() => void)[] = [];
  const timer = setInterval(() => {
    for (const read of reads) read();
  }, everyMs).unref();
  return {
    add: (read) => {
      reads.push(read);
      read();
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}
