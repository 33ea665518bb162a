import { AsyncLocalStorage } from 'node:async_hooks';

import type { Cancel, Clock } from './clock.js';

/** A process of the simulated machine room: whatever runs in it knows it, through all of its awaits. */
export interface SimulatedProcess {
  readonly name: string;
  readonly state: 'running' | 'frozen' | 'killed';
  /** Milliseconds by which its clock is ahead of that of the world. Its timers are as long as everywhere. */
  clockAheadMs: number;
  /** Runs in this process: its timers, its calls and its connections belong to it. */
  run<T>(act: () => T): T;
  /** Stands still: its timers and what comes to it wait until it wakes. */
  freeze(): void;
  wake(): void;
  /**
   * Ends without a word: none of its timers runs any more, and nothing reaches it. Its kernel closes its connections, unless
   * the whole machine is gone.
   */
  kill(how?: 'process' | 'machine'): void;
  /** Runs this when it is killed: the kernel closes its connections. Call what is returned when that no longer matters. */
  onKill(act: () => void): () => void;
  /** A timer of this process. */
  after(ms: number, act: () => void): Cancel;
  /** Something from outside, such as the answer to a call: at once, when it wakes, or never. */
  deliver(act: () => void): void;
}

const current = new AsyncLocalStorage<SimulatedProcess | undefined>();

/** The process that runs now; undefined for the world around the processes. */
export function currentProcess(): SimulatedProcess | undefined {
  return current.getStore();
}

/** Runs outside of all processes, such as a server that a process has called. */
export function outsideProcesses<T>(act: () => T): T {
  return current.run(undefined, act);
}

export function createProcess(name: string, clock: Clock): SimulatedProcess {
  let state: SimulatedProcess['state'] = 'running';
  let held: (() => void)[] = [];
  const atKill = new Set<() => void>();
  const deliver = (act: () => void): void => {
    if (state === 'running') current.run(self, act);
    else if (state === 'frozen') held.push(act);
  };
  const self: SimulatedProcess = {
    name,
    get state() {
      return state;
    },
    clockAheadMs: 0,
    run: (act) => current.run(self, act),
    freeze() {
      if (state === 'running') state = 'frozen';
    },
    wake() {
      if (state !== 'frozen') return;
      state = 'running';
      const due = held;
      held = [];
      for (const act of due)
        clock.after(0, () => {
          deliver(act);
        });
    },
    kill(how = 'process') {
      state = 'killed';
      held = [];
      if (how === 'process') for (const act of atKill) act();
      atKill.clear();
    },
    onKill(act) {
      atKill.add(act);
      return () => {
        atKill.delete(act);
      };
    },
    after(ms, act) {
      let isCancelled = false;
      const cancel = clock.after(ms, () => {
        deliver(() => {
          if (!isCancelled) act();
        });
      });
      return () => {
        isCancelled = true;
        cancel();
      };
    },
    deliver,
  };
  return self;
}
