import { describe, expect, it } from '@jest/globals';

import { toExplanation } from '../../../src/client/explain/to-explanation.js';
import type { RunFacts } from '../../../src/client/explain/run-facts.js';
import { FailureType } from '../../../src/contract/failures.js';
import type { Blocked, StatusDocument } from '../../../src/contract/status-document.js';
import { at, factsOf, ID, INSTANCE, TASK } from '../../support/runs/run-facts.js';

const command = (...words: string[]) => `gcore-workflows ${words.join(' ')}`;
const explain = (facts: RunFacts) => toExplanation(facts, command);

const waiting: StatusDocument = {
  version: 1,
  operation: 'provisionInstance',
  phase: 'waiting',
  steps: [
    { name: 'create instance', state: 'waiting', startedAt: at(0), taskIds: [TASK], resources: [] },
    { name: 'verify instance', state: 'planned', taskIds: [], resources: [] },
  ],
  waiting: {
    for: `task ${TASK}`,
    state: 'RUNNING',
    since: at(1),
    typicalSeconds: 30,
    nextCheckAt: at(46),
    deadline: at(3_600),
  },
};

const notSent: StatusDocument = {
  ...waiting,
  phase: 'running',
  waiting: undefined,
  steps: [{ name: 'create instance', state: 'sending', taskIds: [], resources: [] }],
};

function blockedAs(type: Blocked['type'], changes: Partial<Blocked> = {}): StatusDocument {
  const message = 'It is held up.';
  const blocked = { type, message, advice: 'Ask for more.', since: at(2), ...changes };
  return { ...notSent, phase: 'blocked', blocked: { ...blocked, nextCheckAt: at(62) } };
}

describe('the explanation of an open run', () => {
  it('says where it is, what is being made, what is usual, when it looks and when it gives up', () => {
    const { paragraph, next } = explain(factsOf({ status: waiting }));

    expect(paragraph).toBe(
      `The run "${ID}" (provisionInstance) was started at 2026-05-04T03:02:00Z (42 s ago) and has not ended. ` +
        `It is at the step "create instance" (waiting). ` +
        `What it asked for is being made at the API by task ${TASK}. ` +
        `It waits for task ${TASK}, which is RUNNING, since 2026-05-04T03:02:01Z (41 s ago); 30 s are usual. ` +
        `It looks again at 2026-05-04T03:02:46Z (in 4 s). ` +
        `It gives up at 2026-05-04T04:02:00Z (in 59 min 18 s).`,
    );
    expect(next).toBe(`nothing to do; to follow it: gcore-workflows watch ${ID}`);
  });

  it('says when a wait is much longer than usual', () => {
    const { paragraph } = explain(factsOf({ status: waiting, observedAt: at(200) }));

    expect(paragraph).toContain('30 s are usual, so this takes much longer.');
  });

  it('says that a worker watches', () => {
    const status = { ...waiting, waiting: { for: 'task', since: at(1), watched: true } };

    expect(explain(factsOf({ status })).paragraph).toContain('A worker looks every few seconds.');
  });

  it('names what exists', () => {
    const steps = [
      { ...waiting.steps[0], name: 'create instance', state: 'verified' as const, taskIds: [TASK] },
    ].map((step) => ({ ...step, resources: [{ kind: 'instance' as const, id: INSTANCE }] }));

    expect(explain(factsOf({ status: { ...waiting, steps } })).paragraph).toContain(
      `At the API exist because of it: instance ${INSTANCE}.`,
    );
  });

  it('admits what is not known', () => {
    const steps = [
      { name: 'create instance', state: 'outcome-unknown' as const, taskIds: [], resources: [] },
    ];

    expect(explain(factsOf({ status: { ...waiting, steps } })).paragraph).toContain(
      'has made something is not known yet',
    );
  });

  it('says that nothing exists before anything was sent', () => {
    expect(explain(factsOf({ status: notSent })).paragraph).toContain(
      'Nothing exists at the API because of it, as far as it knows.',
    );
  });

  it('says since when it is paused, what that means, and how it goes on', () => {
    const past = { timers: [], taskIds: [], resourceIds: [], pausedAt: at(12) };

    const { paragraph, next } = explain(factsOf({ status: { ...waiting, phase: 'paused' }, past }));

    expect(paragraph).toContain(
      'An operator paused it at 2026-05-04T03:02:12Z (30 s ago): it sends nothing new',
    );
    expect(next).toBe(
      `let it go on: gcore-workflows resume ${ID}, or end it: gcore-workflows abort ${ID}`,
    );
  });

  it.each([
    [FailureType.unauthorized, 'give the worker a valid key'],
    [FailureType.quotaExceeded, 'raise the quota or free some of it'],
    [FailureType.capacityUnavailable, 'correct the input to another flavor or region'],
    [FailureType.outcomeUnknown, 'look at what exists and remove what should not'],
  ])('says why it is blocked and what mends that: %s', (type, mend) => {
    const { paragraph, next } = explain(factsOf({ status: blockedAs(type) }));

    expect(paragraph).toContain(
      `It is blocked as ${type} since 2026-05-04T03:02:02Z (40 s ago): It is held up. Ask for more. ` +
        'It tries again by itself at 2026-05-04T03:03:02Z (in 20 s). It never gives up by itself.',
    );
    expect(next).toContain(mend);
    expect(next).toContain(`gcore-workflows resume ${ID}`);
    expect(next).toContain(`gcore-workflows abort ${ID}`);
  });

  it.each([
    ['offers another input where the run accepts one', true, true],
    ['offers no other input where the run refuses one', false, false],
    ['offers no other input where an older worker does not say', undefined, false],
  ])('%s', (_, acceptsInput, isOffered) => {
    const status = { ...blockedAs('Unauthorized'), acceptsInput };
    expect(explain(factsOf({ status })).next.includes('--input FILE')).toBe(isOffered);
  });

  it('says when a blocked run gives up', () => {
    const status = blockedAs(FailureType.quotaExceeded, { deadline: at(3_600) });

    expect(explain(factsOf({ status })).paragraph).toContain(
      'It gives up at 2026-05-04T04:02:00Z (in 59 min 18 s).',
    );
  });

  it('says why it is undoing what it did', () => {
    const status: StatusDocument = { ...waiting, phase: 'rolling-back' };
    const past = { timers: [], taskIds: [], resourceIds: [], cancelRequestedAt: at(40) };

    expect(explain(factsOf({ status, past })).paragraph).toContain(
      'It is undoing what it did at the step "create instance" (waiting), was asked to cancel at 2026-05-04T03:02:40Z (2 s ago)',
    );
  });

  it('tells an outage of the API from a task that is merely pending', () => {
    const outage = {
      name: 'getTask',
      attempt: 9,
      nextAttemptAt: at(60),
      lastFailure: { type: 'ServiceUnavailable', message: 'The API answered 503.' },
    };
    const pending = {
      name: 'pollTask',
      attempt: 99,
      lastFailure: { type: 'TaskPending', message: 'Task x is RUNNING' },
    };

    const { paragraph, next } = explain(factsOf({ status: waiting, calls: [outage, pending] }));

    expect(paragraph).toContain(
      'Its call getTask has failed 8 times, last as ServiceUnavailable: The API answered 503. ' +
        'It is tried again at 2026-05-04T03:03:00Z (in 18 s)',
    );
    expect(paragraph).not.toContain('pollTask');
    expect(next).toContain('it goes on by itself when the API answers');
  });
});

describe('the explanation of an open run that no worker answers for', () => {
  const past = {
    timers: [
      { summary: 'task x: next look', firesAt: at(50) },
      { summary: 'deadline of the run', firesAt: at(30) },
    ],
    lastCall: { name: 'createInstance', endedAt: at(1) },
    taskIds: [TASK],
    resourceIds: [],
  };

  it('names the queue that nobody polls, and tells the rest from the history', () => {
    const idleQueues = ['gcore-workflows', 'gcore-api-default'];
    const workflowTask = { attempt: 1, since: at(40) };

    const { paragraph, next } = explain(factsOf({ idleQueues, past, workflowTask }));

    expect(paragraph).toContain('read from its history, because no worker answers for it.');
    expect(paragraph).toContain('Its last call that was answered is createInstance, at 2026');
    expect(paragraph).toContain(`named in answer to its calls: task ${TASK}.`);
    expect(paragraph).toContain('"task x: next look" comes at 2026-05-04T03:02:50Z (in 8 s).');
    expect(paragraph).toContain('"deadline of the run" was due at');
    expect(paragraph).toContain('Its next decision has been due since 2026-05-04T03:02:40Z');
    expect(paragraph).toContain(
      'No worker polls the queues "gcore-workflows" and "gcore-api-default": the run stands still',
    );
    expect(next).toBe('start a worker: gcore-workflows worker');
  });

  it('says that nothing was sent when the history knows of no call', () => {
    const { paragraph } = explain(factsOf({ idleQueues: ['gcore-workflows'] }));

    expect(paragraph).toContain('It has not sent anything to the API yet.');
  });

  it('does not claim that no worker is there when one has polled a moment ago', () => {
    const { paragraph, next } = explain(factsOf({ past }));

    expect(paragraph).toContain('it has just been stopped, or it is overloaded');
    expect(next).toContain('gcore-workflows worker --check');
  });

  it('claims nothing about workers that the server does not tell of', () => {
    const untold = factsOf({ past });
    delete untold.idleQueues;

    expect(explain(untold).paragraph).toContain('No worker has answered for it within seconds.');
  });

  it('says that the code is broken when its decisions fail', () => {
    const workflowTaskFailure = { at: at(20), message: 'Nondeterminism error: no such timer' };
    const workflowTask = { attempt: 7, since: at(20) };

    const { paragraph, next } = explain(
      factsOf({
        past: { ...past, workflowTaskFailure },
        workflowTask,
        idleQueues: ['gcore-workflows'],
      }),
    );

    expect(paragraph).toContain('fails with "Nondeterminism error: no such timer"');
    expect(paragraph).toContain('nothing is lost or undone');
    expect(next).toContain('run a worker of the version that has carried the run so far');
  });

  it('says that it was paused, or asked to cancel', () => {
    const paused = { ...past, pausedAt: at(12), cancelRequestedAt: at(32) };

    const { paragraph } = explain(factsOf({ past: paused }));

    expect(paragraph).toContain('An operator paused it at 2026-05-04T03:02:12Z (30 s ago).');
    expect(paragraph).toContain('It was asked to cancel at 2026-05-04T03:02:32Z (10 s ago)');
  });
});
