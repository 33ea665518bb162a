import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';

import {
  refuseInResetRuns,
  withReads,
  type Signed,
} from '../../../src/engine/activities/registered-activities.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
} from '../../support/http/in-activity.js';

const FIRST = { read: 'list', input: { marker: 'order-1' }, nothing: [] };
const outage = () =>
  ApplicationFailure.create({ type: 'ServiceUnavailable', message: 'The API answered 503.' });

/** A change as a worker registers it, whose look answers this, one after the other. */
function changeAfter(...answers: readonly (unknown[] | ApplicationFailure)[]) {
  const calls: unknown[] = [];
  const left = [...answers];
  const list = (input: unknown): Promise<unknown> => {
    calls.push({ list: input });
    const answer = left.shift();
    return answer instanceof ApplicationFailure ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const create = ({ name }: Signed & { name: string }) => Promise.resolve(calls.push({ name }));
  const { change } = withReads(refuseInResetRuns({ change: create }), { list });
  return { change, calls };
}

const LOOK = { list: FIRST.input };
const SEND = { name: 'web' };

describe('a change that is asked to look first', () => {
  it('is sent when two looks show nothing', async () => {
    const { change, calls } = changeAfter([], []);

    await inActivity(() => change({ name: 'web' }, { first: FIRST }));

    expect(calls).toEqual([LOOK, LOOK, SEND]);
  });

  it('is not sent when one list has lacked what is there', async () => {
    const { change, calls } = changeAfter([], [{ id: 'one' }]);

    const failure = await failureIn(() => change({ name: 'web' }, { first: FIRST }));

    expect(failure.details).toMatchObject([{ isThere: true }]);
    expect(calls).toEqual([LOOK, LOOK]);
  });

  it('is not sent when its look shows something, and says so', async () => {
    const { change, calls } = changeAfter([{ id: 'one' }]);

    const failure = await failureIn(() => change({ name: 'web' }, { first: FIRST }));

    expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: true });
    expect(failure.details).toMatchObject([{ isThere: true }]);
    expect(calls).toEqual([LOOK]);
  });

  it('looks once more when a look has no answer', async () => {
    const { change, calls } = changeAfter(outage(), [], []);

    await inActivity(() => change({ name: 'web' }, { first: FIRST }));

    expect(calls).toEqual([LOOK, LOOK, LOOK, SEND]);
  });

  it('is not sent when no look has an answer', async () => {
    const { change, calls } = changeAfter(outage(), outage());

    const failure = await failureIn(() => change({ name: 'web' }, { first: FIRST }));

    expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: true });
    expect(calls).toEqual([LOOK, LOOK]);
  });

  it('neither looks nor is sent for a run that was reset', async () => {
    const { change, calls } = changeAfter([]);
    const workflowExecution = { workflowId: 'order-1', runId: 'after' };

    const failure = await failureIn(
      () => change({ name: 'web', writer: 'before' }, { first: FIRST }),
      createActivityEnvironment({ workflowExecution }),
    );

    expect(failure.details).toMatchObject([{ resetTo: 'after' }]);
    expect(calls).toEqual([]);
  });

  it('makes no look when it is not asked to', async () => {
    const { change, calls } = changeAfter();

    await inActivity(() => change({ name: 'web' }));

    expect(calls).toEqual([SEND]);
  });
});

const THEN = { then: [{ read: 'get', input: { id: 1 } }] };
const missing = () =>
  ApplicationFailure.create({ type: 'NotFound', message: 'There is none.', details: [{ id: 1 }] });

/** A change that is answered, and the reads that its run may ask for. */
function changeBefore(reads: Record<string, (input: { id: number }) => Promise<unknown>>) {
  const change = () => Promise.resolve('answered');
  return withReads(refuseInResetRuns({ change }), reads).change;
}

describe('a change that is asked to look then', () => {
  it('says what its read has shown', async () => {
    const change = changeBefore({ get: ({ id }) => Promise.resolve({ id, name: 'web' }) });
    const answer = await inActivity(() => change({}, THEN));

    expect(answer).toMatchObject({
      answer: 'answered',
      shown: [{ result: { id: 1, name: 'web' } }],
    });
  });

  it('says that there is none, and looks no further', async () => {
    const reads: string[] = [];
    const change = changeBefore({
      get: () => Promise.reject(missing()),
      others: () => Promise.resolve(reads.push('others')),
    });
    const then = [...THEN.then, { read: 'others', input: {} }];

    const answer = await inActivity(() => change({}, { then }));

    expect(answer).toMatchObject({
      shown: [{ missing: { message: 'There is none.', details: [{ id: 1 }] } }],
    });
    expect(reads).toEqual([]);
  });

  it.each([
    ['fails', () => Promise.reject(outage())],
    ['does not end', () => new Promise(() => undefined)],
  ])('is answered all the same when a read %s', async (_how, get) => {
    const change = changeBefore({ get });

    expect(await inActivity(() => change({}, THEN))).toEqual({ answer: 'answered', shown: [] });
  });

  it('does not read when it has failed itself', async () => {
    const reads: string[] = [];
    const { change } = withReads(
      { change: () => Promise.reject(outage()) },
      { get: () => Promise.resolve(reads.push('get')) },
    );

    await failureIn(() => change({}, THEN));

    expect(reads).toEqual([]);
  });
});
