import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';

import type { AskForNews } from '../../../src/engine/core/news.js';
import { sends, withTimes } from '../../../src/engine/run/activity-calls.js';
import { createPauseState } from '../../../src/engine/run/controls.js';
import { createReadsAfter } from '../../../src/engine/run/reads-after.js';
import { createReadTimes } from '../../../src/engine/run/read-times.js';

interface Things {
  getThing: (input: { id: number }) => Promise<{ name: string }>;
}
interface Changes {
  rename: (input: { id: number }) => Promise<unknown>;
}

/** An activity as Temporal hands it to a workflow. */
function proxied<P extends unknown[], R>(act: (...args: P) => Promise<R>) {
  const executeWithOptions = (_options: unknown, args: P) => act(...args);
  return Object.assign(act, { executeWithOptions });
}

const THEN = [{ read: 'getThing', input: { id: 7 } }];

/** A run whose change answers this, and whose own reads show the thing as `read by the run`. */
function runWith(answerOfChange: () => unknown) {
  const calls: unknown[] = [];
  const after = createReadsAfter(createPauseState(() => undefined));
  const times = createReadTimes();
  const rename = proxied((...args: [{ id: number }]) => {
    calls.push(args);
    return Promise.resolve().then(answerOfChange);
  });
  const getThing = proxied((...[read]: [{ id: number }, AskForNews?]) => {
    calls.push({ read });
    return Promise.resolve({ result: { name: 'read by the run' }, readAt: Date.now() });
  });
  const reads = withTimes<Things>({ getThing }, { times, after });
  const changes = sends<Changes>({ rename }, { writer: () => 'run-1', after });
  const within = { scheduleToStartTimeout: 30_000 };
  return {
    calls,
    reads,
    times,
    change: (then = THEN) => changes.rename({ ...within, then }, { id: 7 }),
  };
}

const shown = (one: object) => ({ answer: 'renamed', shown: [{ readAt: Date.now(), ...one }] });
const ASKED = [{ id: 7, writer: 'run-1' }, { then: THEN }];

describe('a read after a change', () => {
  it('is what the activity of the change has read', async () => {
    const run = runWith(() => shown({ result: { name: 'new' } }));

    expect(await run.change()).toBe('renamed');
    const { state, reads } = await run.times.look(() => run.reads.getThing({ id: 7 }));

    expect(state).toEqual({ name: 'new' });
    expect(reads).toMatchObject([{ name: 'getThing', input: { id: 7 }, result: state }]);
    expect(run.calls).toEqual([ASKED]);
  });

  it('fails as the read of that activity did', async () => {
    const missing = { message: 'There is none.', details: [{ id: 7 }] };
    const run = runWith(() => shown({ missing }));
    await run.change();

    const failure = await run.reads.getThing({ id: 7 }).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'NotFound', nonRetryable: true, ...missing });
  });

  it('is made by the run where an older worker has sent the change', async () => {
    const run = runWith(() => 'renamed');

    expect(await run.change()).toBe('renamed');
    expect(await run.reads.getThing({ id: 7 })).toEqual({ name: 'read by the run' });
  });

  it('is made by the run where another change has ended since', async () => {
    let changes = 0;
    const run = runWith(() => (++changes === 1 ? shown({ result: { name: 'new' } }) : 'renamed'));
    await run.change();
    await run.change([]);

    expect(await run.reads.getThing({ id: 7 })).toEqual({ name: 'read by the run' });
    expect(run.calls).toEqual([ASKED, [ASKED[0]], { read: { id: 7 } }]);
  });

  it('is made by the run where another change has failed since', async () => {
    let changes = 0;
    const run = runWith(() => {
      if (++changes === 1) return shown({ result: { name: 'new' } });
      throw new Error('the outcome is unknown');
    });
    await run.change();
    await run.change([]).catch(() => undefined);

    expect(await run.reads.getThing({ id: 7 })).toEqual({ name: 'read by the run' });
  });
});
