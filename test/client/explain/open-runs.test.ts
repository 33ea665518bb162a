import { describe, expect, it } from '@jest/globals';

import { toExplanation } from '../../../src/client/explain/explain-run.js';
import type { RunFacts } from '../../../src/client/explain/run-facts.js';
import { FailureType } from '../../../src/engine/core/failures.js';
import type { Blocked, StatusDocument } from '../../../src/engine/schema/status-document.js';
import { at, factsOf, ID, INSTANCE, TASK } from './run-facts.js';

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
  it('names the step, the task, the usual time, the next check and the deadline', () => {
    const { paragraph, next } = explain(factsOf({ status: waiting }));

    expect(paragraph).toBe(
      `The run "${ID}" (provisionInstance) was started at 2026-05-04T03:02:00Z (42 s ago) and has not ended. ` +
        `It is at the step "create instance" (waiting). ` +
        `The API is working for it on task ${TASK}. ` +
        `It has waited since 2026-05-04T03:02:01Z (41 s ago) for task ${TASK} (RUNNING); 30 s are usual. ` +
        `It checks again at 2026-05-04T03:02:46Z (in 4 s). ` +
        `It gives up at 2026-05-04T04:02:00Z (in 59 min 18 s).`,
    );
    expect(next).toBe(`nothing to do; to follow it: gcore-workflows watch ${ID}`);
  });

  it('says that Temporal itself holds it up, and how that ends', () => {
    const facts = factsOf({ status: waiting });
    const run = facts.run && { ...facts.run, state: 'PAUSED' };

    const { paragraph, next } = explain({ ...facts, ...(run && { run }) });

    expect(paragraph).toContain('Somebody has paused it in Temporal itself');
    expect(next).toBe(`end that pause: temporal workflow unpause --workflow-id ${ID}`);
  });

  it('says when a wait ends at the latest', () => {
    const wait = { for: 'a trace of the call', since: at(1), endsBy: at(120) };

    const { paragraph } = explain(factsOf({ status: { ...waiting, waiting: wait } }));

    expect(paragraph).toContain(
      'It has waited since 2026-05-04T03:02:01Z (41 s ago) for a trace of the call. ' +
        'It ends at 2026-05-04T03:04:00Z (in 1 min 18 s) at the latest.',
    );
  });

  it('points out a wait that is much longer than usual', () => {
    const { paragraph } = explain(factsOf({ status: waiting, observedAt: at(200) }));

    expect(paragraph).toContain('30 s are usual, so this takes much longer.');
  });

  it('mentions a worker that checks all the time', () => {
    const status = { ...waiting, waiting: { for: 'task', since: at(1), watched: true } };

    expect(explain(factsOf({ status })).paragraph).toContain('A worker checks every few seconds.');
  });

  it('names the resources that exist', () => {
    const steps = [
      { ...waiting.steps[0], name: 'create instance', state: 'verified' as const, taskIds: [TASK] },
    ].map((step) => ({ ...step, resources: [{ kind: 'instance' as const, id: INSTANCE }] }));

    expect(explain(factsOf({ status: { ...waiting, steps } })).paragraph).toContain(
      `These resources exist because of it: instance ${INSTANCE}.`,
    );
  });

  it('admits that the outcome of a call is unknown', () => {
    const steps = [
      { name: 'create instance', state: 'outcome-unknown' as const, taskIds: [], resources: [] },
    ];

    expect(explain(factsOf({ status: { ...waiting, steps } })).paragraph).toContain(
      'It does not know yet whether its last call created something.',
    );
  });

  it('says that nothing exists before the first call', () => {
    const steps = notSent.steps.map((step) => ({ ...step, state: 'planned' as const }));

    expect(explain(factsOf({ status: { ...notSent, steps } })).paragraph).toContain(
      'Nothing exists because of it, as far as it knows.',
    );
  });

  it('does not say that nothing exists once a step has been done', () => {
    const steps = [
      { name: 'create videos', state: 'verified' as const, taskIds: [], resources: [] },
      { name: 'await videos', state: 'waiting' as const, taskIds: [], resources: [] },
    ];

    expect(explain(factsOf({ status: { ...waiting, steps } })).paragraph).not.toContain(
      'Nothing exists because of it',
    );
  });

  it('says since when the run is paused, and how to continue it', () => {
    const past = { timers: [], taskIds: [], resourceIds: [], pausedAt: at(12) };

    const { paragraph, next } = explain(factsOf({ status: { ...waiting, phase: 'paused' }, past }));

    expect(paragraph).toContain(
      'An operator paused it at 2026-05-04T03:02:12Z (30 s ago). It sends nothing new',
    );
    expect(next).toBe(
      `continue it: gcore-workflows resume ${ID}, or end it: gcore-workflows abort ${ID}`,
    );
  });

  it.each([
    [FailureType.unauthorized, 'tries', 'give the worker a valid key'],
    [FailureType.quotaExceeded, 'tries', 'raise the quota or free some of it'],
    [FailureType.capacityUnavailable, 'tries', 'choose another flavor or region in the input'],
    [FailureType.outcomeUnknown, 'looks', 'check what exists and remove what should not'],
  ])('says why the run is blocked and how to fix it: %s', (type, tries, mend) => {
    const { paragraph, next } = explain(factsOf({ status: blockedAs(type) }));

    expect(paragraph).toContain(
      `It has been blocked as ${type} since 2026-05-04T03:02:02Z (40 s ago): It is held up. Ask for more. ` +
        `It ${tries} again on its own at 2026-05-04T03:03:02Z (in 20 s). It never gives up on its own.`,
    );
    expect(next).toContain(mend);
    expect(next).toContain(`gcore-workflows resume ${ID}`);
    expect(next).toContain(`gcore-workflows abort ${ID}`);
  });

  it('does not say that the API works on the task of a call that did not work out', () => {
    const steps = [{ ...notSent.steps[0], name: 'resize', taskIds: [TASK], resources: [] }];
    const status: StatusDocument = {
      ...blockedAs(FailureType.capacityUnavailable),
      steps: steps.map((step) => ({ ...step, state: 'planned' })),
    };

    const { paragraph } = explain(factsOf({ status }));

    expect(paragraph).toContain(`The API has named task ${TASK}.`);
    expect(paragraph).not.toContain('working');
  });

  it.each([
    ['offers another input where the run accepts one', true, true],
    ['offers no other input where the run refuses one', false, false],
    ['offers no other input where an older worker does not say', undefined, false],
  ])('%s', (_, acceptsInput, isOffered) => {
    const status = { ...blockedAs(FailureType.unauthorized), acceptsInput };
    expect(explain(factsOf({ status })).next.includes('--input FILE')).toBe(isOffered);
  });

  it('says when a blocked run gives up', () => {
    const status = blockedAs(FailureType.quotaExceeded, { deadline: at(3_600) });

    expect(explain(factsOf({ status })).paragraph).toContain(
      'It gives up at 2026-05-04T04:02:00Z (in 59 min 18 s).',
    );
  });

  it('says why the run undoes its work', () => {
    const status: StatusDocument = { ...waiting, phase: 'rolling-back' };
    const past = { timers: [], taskIds: [], resourceIds: [], cancelRequestedAt: at(40) };

    expect(explain(factsOf({ status, past })).paragraph).toContain(
      'It is undoing its work, at the step "create instance" (waiting). It was asked to cancel at 2026-05-04T03:02:40Z (2 s ago)',
    );
  });

  it('says that a call waits for its turn, and how many requests the API allows', () => {
    const call = { name: 'createInstance', attempt: 1 };
    const wait = { waitingFor: 'rate', perSecond: 0.5, calls: 12 } as const;

    const limited = explain(
      factsOf({ status: waiting, calls: [{ ...call, waiting: { ...wait, since: at(0) } }] }),
    );
    const busy = explain(factsOf({ status: waiting, calls: [{ ...call, waiting: wait }] }));

    expect(limited.paragraph).toContain(
      'Its call createInstance waits for its turn: the API allows about 0.5 requests a second (429 since 2026-05-04T03:02:00Z (42 s ago)), and 12 calls of this account wait in that worker',
    );
    expect(limited.next).toContain('the worker sends as many requests as the API allows');
    expect(busy.paragraph).toContain('the request budget is about 0.5 requests a second, and 12');
  });

  it('says that a call repeats one of its reads, why, and when', () => {
    const failure = { type: 'ServiceUnavailable', message: 'GET /x was answered with 503.' };
    const wait = {
      waitingFor: 'answer',
      failure,
      failures: 3,
      since: at(30),
      nextAt: at(44),
    } as const;

    const { paragraph, next } = explain(
      factsOf({
        status: waiting,
        calls: [{ name: 'compareKvChunk', attempt: 1, waiting: wait }],
      }),
    );

    expect(paragraph).toContain(
      'Its call compareKvChunk repeats a read that has failed 3 times since 2026-05-04T03:02:30Z (12 s ago), ' +
        'the last time as ServiceUnavailable: GET /x was answered with 503. ' +
        'It is repeated at 2026-05-04T03:02:44Z (in 2 s); what the call has read before is kept',
    );
    expect(next).toContain('it continues when the API answers');
  });

  it('distinguishes an outage of the API from a pending task', () => {
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
      'Its call getTask has failed 8 times, the last time as ServiceUnavailable: The API answered 503. ' +
        'Temporal repeats it at 2026-05-04T03:03:00Z (in 18 s)',
    );
    expect(paragraph).not.toContain('pollTask');
    expect(next).toContain('it continues when the API answers');
  });
});
