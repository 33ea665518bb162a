/** Reads what changes by itself, for gauges. */
export interface Sampler {
  /** Reads now, and again and again, instead of what was read under this name before. */
  add: (name: string, read: () => void) => void;
  stop: () => void;
}

/** As often as Prometheus usually scrapes. */
const EVERY_MS = 15_000;

export function createSampler(everyMs = EVERY_MS): Sampler {
  const reads = new Map<string, () => void>();
  const timer = setInterval(() => {
    for (const read of reads.values()) read();
  }, everyMs).unref();
  return {
    add: (name, read) => {
      reads.set(name, read);
      read();
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}
