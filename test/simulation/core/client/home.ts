import type { Cancel, Clock } from '../../time/clock.js';
import { outsideProcesses, type SimulatedProcess } from '../../time/processes.js';

/** Where a client lives: in a process, or in the world around. */
export interface Home {
  readonly process: SimulatedProcess | undefined;
  readonly now: () => number;
  readonly after: (ms: number, act: () => void) => Cancel;
  /** What comes from outside: at once, when the process wakes, or never. */
  deliver(act: () => void): void;
  run<T>(act: () => T): T;
  sleep(ms: number): Promise<void>;
}

export function createHome(clock: Clock, process: SimulatedProcess | undefined): Home {
  const after: Home['after'] = (ms, act) =>
    process === undefined ? clock.after(ms, act) : process.after(ms, act);
  return {
    process,
    now: () => clock.now(),
    after,
    deliver(act) {
      if (process === undefined) act();
      else process.deliver(act);
    },
    run: (act) => (process === undefined ? outsideProcesses(act) : process.run(act)),
    sleep: (ms) =>
      new Promise((resolve) => {
        after(ms, resolve);
      }),
  };
}
