import { createBreakers } from '../../../src/activities/gcore-api.js';
import type { Breakers } from '../../../src/engine/http/circuit-breaker.js';
import { isHeld } from '../../../src/engine/http/reply.js';

export interface SimulatedRun {
  name: string;
  /** What it asks for, one after the other. It repeats a call until it is answered. */
  paths: readonly string[];
  beginsAt: number;
}

export interface SimulatedApi {
  /** Whether a call that arrives at this time, in milliseconds, is answered with 200; otherwise with 503. */
  answers: (path: string, atMs: number) => boolean;
  runs: readonly SimulatedRun[];
  processes: number;
  untilMs: number;
}

export interface Simulated {
  /** Requests that reached the API. */
  sent: readonly { atMs: number; path: string; run: string; process: number }[];
  /** When each run had its last answer; missing where it has not. */
  endedAt: ReadonlyMap<string, number>;
}

const CALL_MS = 100;
/** Temporal's backoff for a call that no breaker gives a time. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** Runs whose calls wander from process to process, as on a shared task queue, in virtual time. */
export async function simulateOutage({
  answers,
  runs,
  processes,
  untilMs,
}: SimulatedApi): Promise<Simulated> {
  let now = 0;
  const all = Array.from({ length: processes }, () => createBreakers({ now: () => now }));
  const sent: { atMs: number; path: string; run: string; process: number }[] = [];
  const endedAt = new Map<string, number>();
  const waiting = runs.map((run, index) => ({
    run,
    at: run.beginsAt,
    step: 0,
    tries: 0,
    next: index,
  }));
  for (;;) {
    const [turn] = waiting.filter(({ run }) => !endedAt.has(run.name)).sort((a, b) => a.at - b.at);
    if (turn === undefined || turn.at > untilMs) return { sent, endedAt };
    now = turn.at;
    const process = turn.next++ % processes;
    const path = turn.run.paths[turn.step] ?? '';
    const about = { path, caller: turn.run.name };
    const reply = await ask(all[process], about, () => {
      const status = answers(path, now) ? 200 : 503;
      sent.push({ atMs: now, path, run: turn.run.name, process });
      return { status };
    });
    if (reply === 'answered') {
      turn.step += 1;
      turn.tries = 0;
      turn.at = now + CALL_MS;
      if (turn.step === turn.run.paths.length) endedAt.set(turn.run.name, now);
      continue;
    }
    turn.tries += 1;
    turn.at = now + (reply.waitMs ?? backoffMs(turn.tries));
  }
}

function backoffMs(tries: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), LONGEST_RETRY_MS);
}

async function ask(
  breakers: Breakers | undefined,
  { path, caller }: { path: string; caller: string },
  send: () => { status: number },
): Promise<'answered' | { waitMs: number | undefined }> {
  const reply = await breakers?.run(path, () => Promise.resolve<Sent>(send()), { caller });
  if (reply === undefined) throw new Error('There is no such process');
  if (isHeld(reply)) return { waitMs: reply.failure.retryAfterMs };
  return reply.status < 500 ? 'answered' : { waitMs: reply.retryAfterMs };
}

interface Sent {
  status: number;
  retryAfterMs?: number | undefined;
}
