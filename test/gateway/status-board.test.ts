import { setMaxListeners } from 'node:events';

import { describe, expect, it } from '@jest/globals';

import { RunEndedError, RunNotFoundError, type GcoreWorkflows } from '../../src/client/index.js';
import { createStatusBoard, readRunView, type RunView } from '../../src/gateway/status-board.js';
import { collectGarbage } from '../support/http/collect-garbage.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';

const ID = 'provision-instance/default/order-1';
const never = new AbortController().signal;
setMaxListeners(0, never);

function viewOf(tag: string, isEnded = false): RunView {
  return {
    runId: 'run-1',
    workflowId: ID,
    operation: 'provisionInstance',
    account: 'default',
    state: isEnded ? 'COMPLETED' : 'RUNNING',
    phase: isEnded ? 'succeeded' : 'running',
    isEnded,
    startedAt: '2026-05-04T03:02:00.000Z',
    document: { tag, text: tag },
  };
}

/** A run that a test changes, and how often it was asked. */
function createRun() {
  let answer = (): RunView => viewOf('1');
  let asked = 0;
  return {
    set: (next: () => RunView) => {
      answer = next;
    },
    asked: () => asked,
    read: () => {
      asked += 1;
      try {
        return Promise.resolve(answer());
      } catch (error) {
        return Promise.reject(error instanceof Error ? error : new Error(String(error)));
      }
    },
  };
}

describe('a status board', () => {
  it('asks once for two thousand readers that come at once, and for each that comes soon', async () => {
    const run = createRun();
    const board = createStatusBoard(run.read, 60_000);

    await Promise.all(Array.from({ length: 2_000 }, () => board.read(ID)));
    await board.read(ID);

    expect(run.asked()).toBe(1);
  });

  it('asks once in its interval for two thousand readers that wait', async () => {
    const run = createRun();
    const board = createStatusBoard(run.read, 20);
    const startedAt = Date.now();
    const waits = Array.from({ length: 2_000 }, () => board.next(ID, { tag: '1' }, never));
    await until('it has asked some times', () => run.asked() >= 5);
    run.set(() => viewOf('2'));

    const views = await Promise.all(waits);

    expect(new Set(views.map((view) => view?.document?.tag))).toEqual(new Set(['2']));
    expect(run.asked()).toBeLessThanOrEqual((Date.now() - startedAt) / 20 + 2);
  });

  it('asks for a thousand runs as often together as for two hundred', async () => {
    const run = createRun();
    const board = createStatusBoard(run.read, 20);
    const startedAt = Date.now();
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const ids = Array.from({ length: 1_000 }, (_, at) => `${ID}${at}`);
    const waits = ids.map((id) => board.next(id, { tag: '1' }, stop.signal));
    await until('it has asked for each some times', () => run.asked() >= 5_000);
    const turns = (Date.now() - startedAt) / 20;
    const asked = run.asked();
    stop.abort();
    await Promise.all(waits);

    expect(asked).toBeLessThanOrEqual((turns + 10) * 200);
  });

  it('asks no less often for one reader when another one follows a thousand runs', async () => {
    // Long beside what a busy machine is late by: that lengthens both pauses alike.
    const freshMs = 200;
    const asked: string[] = [];
    const board = createStatusBoard((id) => {
      asked.push(id);
      return Promise.resolve(viewOf('1'));
    }, freshMs);
    const stop = new AbortController();
    const ids = Array.from({ length: 1_000 }, (_, at) => `run-${at}`);
    const many = ids.map((id) => board.next(id, { tag: '1', by: 'report' }, stop.signal));
    const one = board.next(ID, { tag: '1', by: 'on-call' }, stop.signal);

    await until('some were asked about often', () => asked.length > 3_000);
    stop.abort();
    await Promise.all([...many, one]);

    const ofOne = asked.filter((id) => id === ID).length;
    const ofAnother = asked.filter((id) => id === 'run-500').length;
    expect(ofOne).toBeGreaterThan(2 * ofAnother);
  });

  it('stops asking when nobody waits any more', async () => {
    const run = createRun();
    const board = createStatusBoard(run.read, 10);
    const left = new AbortController();
    const wait = board.next(ID, { tag: '1' }, left.signal);
    await until('it has asked', () => run.asked() >= 2);
    left.abort();
    await wait;
    const asked = run.asked();

    await until('its interval has passed', async () => {
      const before = Date.now();
      await board.read('another');
      return Date.now() >= before;
    });

    expect(run.asked()).toBeLessThanOrEqual(asked + 2);
  });

  it('tells those who wait for the end of the end only', async () => {
    const run = createRun();
    const board = createStatusBoard(run.read, 10);
    const wait = board.next(ID, { tag: undefined, untilEnded: true }, never);
    run.set(() => viewOf('2'));
    await until('it has asked', () => run.asked() >= 2);
    run.set(() => viewOf('3', true));

    expect(await wait).toMatchObject({ isEnded: true });
  });

  it('goes on after an error, and ends when the run does not exist any more', async () => {
    const run = createRun();
    const board = createStatusBoard(run.read, 10);
    run.set(() => {
      throw new Error('away');
    });
    const wait = board.next(ID, { tag: '1' }, never);
    await until('it has asked', () => run.asked() >= 3);
    run.set(() => {
      throw new RunNotFoundError(ID);
    });

    await expect(wait).rejects.toThrow(RunNotFoundError);
  });

  it('drops an answer that was on its way when the run was changed', async () => {
    const old = createGate();
    const answers = [old.opened.then(() => viewOf('1')), Promise.resolve(viewOf('2'))];
    const board = createStatusBoard(() => answers.shift() ?? Promise.reject(new Error()), 60_000);
    const before = board.read(ID);
    board.forget(ID);
    const after = await board.read(ID);
    old.open();

    expect((await before).document?.tag).toBe('1');
    expect([after, await board.read(ID)].map(({ document }) => document?.tag)).toEqual(['2', '2']);
  });

  it('asks again after it was told that the run was changed', async () => {
    const run = createRun();
    const board = createStatusBoard(run.read, 60_000);
    await board.read(ID);
    run.set(() => viewOf('2'));
    board.forget(ID);

    expect(await board.read(ID)).toMatchObject({ document: { tag: '2' } });
  });
});

describe('the view of a run whose request is started again and again', () => {
  it('has no document after some looks, and looks no further', async () => {
    let looks = 0;
    const gcore: Pick<GcoreWorkflows, 'status' | 'summary' | 'endingWithin'> = {
      endingWithin: (_, work) => work(),
      summary: () => {
        looks += 1;
        return Promise.resolve({
          ...{ workflowId: ID, runId: `run-${looks}`, operation: 'provisionInstance' as const },
          ...{ account: 'default', state: 'RUNNING', phase: 'running' as const },
          ...{ startedAt: new Date(0), closedAt: undefined },
        });
      },
      status: () => {
        if (looks > 100) throw new TypeError('it looks without end');
        return Promise.reject(new RunEndedError(ID, 'another run has begun since'));
      },
    };

    const view = await readRunView(gcore, ID);

    expect(view.document).toBeUndefined();
    expect(looks).toBe(3);
  });
});

describe('the documents of many runs', () => {
  it('are in memory only as long as they are fresh, and not until the next looks at their runs', async () => {
    const documents: WeakRef<object>[] = [];
    const board = createStatusBoard((workflowId) => {
      const view = { ...viewOf('1'), workflowId };
      documents.push(new WeakRef(view.document ?? {}));
      return Promise.resolve(view);
    }, 20);
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const waits = Array.from({ length: 2_000 }, (_, at) =>
      board.next(`${ID}${at}`, { tag: '1' }, stop.signal),
    );

    await until('each has been looked at', () => documents.length >= waits.length);
    await until('most have been let go', () => {
      collectGarbage();
      return documents.filter((each) => each.deref() !== undefined).length < waits.length / 2;
    });

    stop.abort();
    expect(await Promise.all(waits)).not.toContainEqual(expect.anything());
  });
});
