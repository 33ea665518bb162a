import { describe, expect, it } from '@jest/globals';

import { WorkflowNotFoundError } from '@temporalio/client';

import { isChange, isMake } from '../../src/contract/operations/index.js';
import type { Operation } from '../../src/contract/wire/names.js';
import { abortUpdate } from '../../src/engine/core/messages.js';
import { OPERATION_CASES } from '../support/operations/index.js';
import type { OperationCase } from '../support/operations/tested-operation.js';
import { disturbEach, disturbEachChange, inLaboratory, type Disturbance } from './stepwise.js';
const refuse: Disturbance = () =>
  Promise.resolve(Response.json({ exception_class: 'ValidationError' }, { status: 400 }));

const loseRequest: Disturbance = () => Promise.reject(reset());

const loseAnswer: Disturbance = async ({ send }) => {
  await send();
  throw reset();
};

const cancel: Disturbance = async ({ run, send }) => {
  await run.cancel();
  return send();
};

const abort: Disturbance = async ({ run, send }) => {
  await run.executeUpdate(abortUpdate, { args: [{}] }).catch(unlessEnded);
  return send();
};

/** A call for which the run no longer waits may come after the run's end. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

/** Sends every call twice, except a creating call: that must never be repeated. */
const sendTwice: Disturbance = async ({ request, send }) => {
  if (request.method !== 'POST') await send();
  return send();
};

/** Cancels the run at the call that changes something. If no call does, at the first call. */
const cancelAndUndoTwice =
  ({ changes }: OperationCase): Disturbance =>
  async (call) => {
    const response = await sendTwice(call);
    const isTheOne = changes === undefined ? call.index === 0 : call.request.method === changes;
    if (isTheOne) await call.run.cancel();
    return response;
  };

function reset(): Error {
  return Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
}

/** Of the changes, which take one way: one that leaves no trace, and one whose call names no task either. */
const CHANGES: readonly Operation[] = ['setInstancePower', 'revertVolume'];
/** What makes one thing in one step takes one way too: this one also takes turns. */
const MAKES: readonly Operation[] = ['snapshotVolume'];
const taken = OPERATION_CASES.filter(({ operation }) => {
  if (isChange(operation)) return CHANGES.includes(operation);
  return !isMake(operation) || MAKES.includes(operation);
});
const titled = taken.map((operation) => {
  const { where = 'a plain request' } = operation;
  return { title: `${operation.operation} (${where})`, operation };
});

describe.each(titled)('each step of $title', ({ operation }) => {
  it('fails when the API refuses it, and the run leaves nothing behind', () =>
    inLaboratory(operation, refuse, async (laboratory) => {
      const runs = await disturbEach(laboratory);

      const failed = runs.filter(({ phase }) => phase === 'failed');
      const steps = new Set(runs.map(({ at }) => at));
      for (const step of steps) expect(failed.map(({ at }) => at)).toContain(step);
      for (const run of failed) {
        expect(run).toMatchObject({ failedStep: run.at, existing: [], ledger: [] });
      }
      for (const run of runs) expect(run.ledger).toEqual(run.existing);
    }));

  it.each([
    ['a request is lost', loseRequest],
    ['an answer is lost', loseAnswer],
  ])('continues when %s, and creates no duplicate', (_, disturbance) =>
    inLaboratory(operation, disturbance, async (laboratory) => {
      const runs = await disturbEachChange(laboratory);

      for (const run of runs) expect(run.phase).toBe('succeeded');
      for (const run of runs) expect(run.ledger).toEqual(run.existing);
      expect(laboratory.mostPerMarker()).toBe(operation.makes);
    }),
  );

  it.each([
    ['cancelled', cancel, disturbEach],
    // An abort takes the same path as a cancel, so this tries it only at calls that change something.
    ['failed', abort, disturbEachChange],
  ])(
    'can be the last: the run ends as %s and leaves nothing behind',
    (phase, disturbance, disturbAll) =>
      inLaboratory(operation, disturbance, async (laboratory) => {
        const runs = await disturbAll(laboratory);

        const told = runs.filter(({ wasTold }) => wasTold);
        expect(told.length).toBeGreaterThanOrEqual(runs.length - 1);
        for (const run of told) expect(run).toMatchObject({ phase, existing: [], ledger: [] });
      }),
  );

  it('creates no duplicate when each of its calls is sent twice', () =>
    inLaboratory(operation, sendTwice, async (laboratory) => {
      const run = await laboratory.disturb();

      expect(run.phase).toBe('succeeded');
      expect(run.ledger).toEqual(run.existing);
      expect(laboratory.mostPerMarker()).toBe(operation.makes);
    }));

  it('leaves nothing behind when each call of its rollback is sent twice', () =>
    inLaboratory(operation, cancelAndUndoTwice(operation), async (laboratory) => {
      const run = await laboratory.disturb();

      expect(run).toMatchObject({ phase: 'cancelled', existing: [], ledger: [] });
    }));
});
