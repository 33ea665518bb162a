import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import {
  beginLock,
  hearEnd,
  hearWish,
  nextStep,
  noteAnswered,
  noteAsking,
  noteGone,
  noteHeard,
  type LockState,
} from '../../../src/engine/turns/lock-state.js';

const HOLDER = { workflowId: 'a', runId: 'run-1' };
const HOUR_MS = 3_600_000;

const begun = (waiters: readonly string[] = []) =>
  beginLock({ lock: 'lock-1', holder: HOLDER, since: 0, waiters });

describe('a lock', () => {
  it('sleeps while nobody asks for the turn', () => {
    expect(nextStep(begun(), 0)).toEqual({ kind: 'sleep' });
  });

  it('asks its holder, and tells the run that waits who has the turn meanwhile', () => {
    const asked = hearWish(begun(), { waiter: 'b', behind: [] });

    expect(nextStep(asked, 0)).toEqual({ kind: 'ask' });
    expect(nextStep(noteAsking(asked), 0)).toEqual({ kind: 'answer', waiters: ['b'] });
  });

  it('asks more rarely the longer the turn lasts, once an hour at least', () => {
    const wished = (at: number) =>
      hearWish(noteAnswered(noteHeard(begun(), at), ['b']), { waiter: 'b', behind: [] });

    expect(nextStep(wished(HOUR_MS), HOUR_MS * 1.01).kind).toBe('answer');
    expect(nextStep(wished(HOUR_MS), HOUR_MS * 1.03).kind).toBe('ask');
    expect(nextStep(wished(900 * HOUR_MS), 901 * HOUR_MS).kind).toBe('ask');
  });

  it('asks at once when a run waits that has the Workflow Id of the holder', () => {
    const wished = hearWish(noteHeard(begun(), HOUR_MS), { waiter: 'a', behind: [] });

    expect(nextStep(wished, HOUR_MS)).toEqual({ kind: 'ask' });
  });

  it('ends only by its own id', () => {
    expect(nextStep(hearEnd(begun(), { lock: 'lock-0' }), 0).kind).toBe('sleep');
    expect(nextStep(hearEnd(begun(), { lock: 'lock-1' }), 0)).toEqual({
      kind: 'close',
      isCutShort: false,
    });
  });

  it('is kept while a call of its holder may still arrive', () => {
    const ended = hearEnd(begun(), { lock: 'lock-1', keptUntil: 500 });

    expect(nextStep(ended, 100)).toEqual({ kind: 'keep', ms: 400 });
    expect(nextStep(ended, 500).kind).toBe('close');
  });

  it('says that its holder was cut short when that is gone', () => {
    expect(nextStep(noteGone(begun()), 0)).toEqual({ kind: 'close', isCutShort: true });
  });

  it('keeps the line in order, without its holder', () => {
    const { line } = hearWish(begun(['b', 'a', 'b']), { waiter: 'c', behind: ['d', 'a', 'b'] });

    expect(line).toEqual(['b', 'c', 'd']);
  });
});

interface ModelRun {
  workflowId: string;
  runId: string;
  /** The locks that it knows as its own. */
  locks: Set<string>;
  holds: string | undefined;
  waits: boolean;
}

/** A model of the Temporal server with one resource: messages arrive in any order, and by Workflow Id. */
class World {
  readonly runs = new Map<string, ModelRun>();
  #lock: LockState | undefined;
  #mail: (() => void)[] = [];
  #time = 0;
  #ids = 0;

  take(workflowId: string): void {
    const run = this.runs.get(workflowId) ?? this.#newRun(workflowId);
    if (run.holds !== undefined) return;
    run.waits = true;
    this.#tryToTake(run);
  }

  release(workflowId: string): void {
    const run = this.runs.get(workflowId);
    if (run?.holds === undefined) return;
    const lock = run.holds;
    run.holds = undefined;
    this.#toLock((state) => hearEnd(state, { lock }));
  }

  terminate(workflowId: string): void {
    this.runs.delete(workflowId);
  }

  /** To before its turn: what it knew of its lock is gone, and the lock is still there. */
  reset(workflowId: string): void {
    const run = this.runs.get(workflowId);
    if (run === undefined) return;
    const waits = run.waits || run.holds !== undefined;
    this.runs.set(workflowId, { ...run, locks: new Set(), holds: undefined, waits });
  }

  continueLock(): void {
    if (this.#lock?.end === undefined && this.#lock !== undefined) {
      this.#lock = beginLock({ ...this.#lock, waiters: this.#lock.line });
    }
  }

  deliver(at: number): void {
    const [message] = this.#mail.splice(at % Math.max(this.#mail.length, 1), 1);
    message?.();
  }

  work(): void {
    this.#time += 60_000;
    const state = this.#lock;
    const step = state && nextStep(state, this.#time);
    if (state === undefined || step === undefined) return;
    if (step.kind === 'close') {
      this.#lock = undefined;
      this.#mail.push(() => {
        this.#call(state.line);
      });
    } else if (step.kind === 'answer') this.#lock = noteAnswered(state, step.waiters);
    else if (step.kind === 'ask') this.#ask(noteAsking(state));
  }

  /** Everything goes on until nobody waits. */
  settle(): void {
    for (let rounds = 0; rounds < 100; rounds++) {
      this.#time += HOUR_MS;
      while (this.#mail.length > 0) this.deliver(0);
      this.work();
      for (const run of this.runs.values()) {
        this.release(run.workflowId);
        if (run.waits) this.#tryToTake(run);
      }
    }
  }

  holders(): number {
    return [...this.runs.values()].filter(({ holds }) => holds !== undefined).length;
  }

  waiting(): string[] {
    return [...this.runs.values()].filter(({ waits }) => waits).map((run) => run.workflowId);
  }

  #newRun(workflowId: string): ModelRun {
    const runId = `run-${++this.#ids}`;
    const run = { workflowId, runId, locks: new Set<string>(), holds: undefined, waits: false };
    this.runs.set(workflowId, run);
    return run;
  }

  #tryToTake(run: ModelRun): void {
    const { workflowId } = run;
    if (this.#lock !== undefined) {
      this.#toLock((state) => hearWish(state, { waiter: workflowId, behind: [] }));
      return;
    }
    const lock = `lock-${++this.#ids}`;
    this.#lock = beginLock({ lock, holder: run, since: this.#time, waiters: [] });
    run.locks.add(lock);
    Object.assign(run, { holds: lock, waits: false });
  }

  #call(line: readonly string[]): void {
    const next = line.map((waiter) => this.runs.get(waiter)).find((run) => run?.waits === true);
    if (next !== undefined) this.#tryToTake(next);
  }

  #ask(asking: LockState): void {
    this.#lock = asking;
    const { lock, holder } = asking;
    this.#mail.push(() => {
      const run = this.runs.get(holder.workflowId);
      const isSame = this.#lock?.lock === lock;
      if (this.#lock !== undefined && isSame) {
        this.#lock = run === undefined ? noteGone(this.#lock) : noteHeard(this.#lock, this.#time);
      }
      if (run === undefined || run.locks.has(lock)) return;
      this.#toLock((state) => hearEnd(state, { lock, isCutShort: true }));
    });
  }

  /** By its Workflow Id: it reaches the lock that is open when it arrives. */
  #toLock(hear: (state: LockState) => LockState): void {
    this.#mail.push(() => {
      if (this.#lock !== undefined) this.#lock = hear(this.#lock);
    });
  }
}

const ACTIONS = [
  'take',
  'release',
  'terminate',
  'reset',
  'continueLock',
  'deliver',
  'work',
] as const;
const events = fc.array(
  fc.record({
    // Messages and the lock move more often than operators.
    action: fc.oneof(fc.constantFrom(...ACTIONS), fc.constantFrom('deliver', 'work')),
    run: fc.constantFrom('a', 'b', 'c'),
    place: fc.nat(20),
  }),
  { minLength: 40, maxLength: 150 },
);

describe('any sequence of takes, releases, terminations, resets and new histories', () => {
  it('never lets two runs have the turn, and lets nobody wait for ever', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        const world = new World();
        let most = 0;
        for (const { action, run, place } of sequence) {
          if (action === 'deliver') world.deliver(place);
          else if (action === 'work' || action === 'continueLock') world[action]();
          else world[action](run);
          most = Math.max(most, world.holders());
        }
        expect(most).toBeLessThanOrEqual(1);
        world.settle();
        expect(world.waiting()).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
