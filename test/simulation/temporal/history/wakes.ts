import type { Execution } from '../model/execution.js';
import type { Server } from '../model/server.js';

/** How late a timer of the server runs, in milliseconds. */
const LATE = { least: 5, most: 30 };

/** When a timer for this time really runs: late, and never after less than the shortest time. */
function dueIn(server: Server, at: number): number {
  const { clock, draw, limits } = server;
  const wait = Math.max(at - clock.now(), limits.shortestTimerMs);
  return Math.ceil(wait) + draw.number(LATE.least, LATE.most);
}

/** Runs `act` once at this time, as the timer queue of the server does. */
export function atTime(server: Server, at: number, act: () => void): () => void {
  return server.clock.after(dueIn(server, at), act);
}

/** Sets, moves or removes the one timer of this name that a run has. */
export function setWake(
  server: Server,
  execution: Execution,
  wake: { name: string; at: number | undefined; act: () => void },
): void {
  const { name, at, act } = wake;
  const existing = execution.wakes.get(name);
  if (existing !== undefined && existing.at === at) return;
  existing?.cancel();
  execution.wakes.delete(name);
  if (at === undefined) return;
  const cancel = atTime(server, at, () => {
    execution.wakes.delete(name);
    act();
  });
  execution.wakes.set(name, { at, cancel });
}

export function clearWakes(execution: Execution): void {
  for (const { cancel } of execution.wakes.values()) cancel();
  execution.wakes.clear();
}
