import { ManagedRun } from './managed-run.js';
import type { RunHost } from './run-parts.js';
import type { PreparedTask } from './tasks.js';

/** The cached runs of a worker. The first one was used least recently. */
export class RunCache {
  readonly #runs = new Map<string, ManagedRun>();
  readonly #host: RunHost;
  readonly #limit: number;

  constructor(host: RunHost) {
    this.#host = host;
    // Without a cache a run is still held for as long as its task lasts.
    this.#limit = Math.max(1, host.maxCached);
  }

  get isFull(): boolean {
    return this.#runs.size >= this.#limit;
  }

  has(runId: string): boolean {
    return this.#runs.has(runId);
  }

  peek(runId: string): ManagedRun | undefined {
    return this.#runs.get(runId);
  }

  /** The run, which is then the most recently used. */
  use(runId: string): ManagedRun | undefined {
    const run = this.#runs.get(runId);
    if (run === undefined) return undefined;
    this.#runs.delete(runId);
    this.#runs.set(runId, run);
    return run;
  }

  add(task: PreparedTask): ManagedRun {
    const run = new ManagedRun(this.#host, task);
    this.#runs.set(task.runId, run);
    return run;
  }

  remove(runId: string): void {
    this.#runs.delete(runId);
  }

  leastRecent(): ManagedRun | undefined {
    const [first] = this.#runs.values();
    return first;
  }

  /** The least recently used one first. */
  all(): ManagedRun[] {
    return [...this.#runs.values()];
  }
}
