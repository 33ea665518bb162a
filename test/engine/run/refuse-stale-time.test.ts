import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';

import { interceptors } from '../../../src/engine/run/refuse-stale-time.js';

type Activate = NonNullable<
  NonNullable<ReturnType<typeof interceptors>['internals']>[number]['activate']
>;
type Activation = Parameters<Activate>[0]['activation'];

/** A run that has been activated at time 1. Tells of each activation whether the run sees it. */
function createRun() {
  const [internals] = interceptors().internals ?? [];
  const activate = (activation: Activation, batchIndex = 0): boolean => {
    let isSeen = false;
    internals?.activate?.({ activation, batchIndex }, () => {
      isSeen = true;
    });
    return isSeen;
  };
  activate({ ...at(1), isReplaying: true, jobs: [{ initializeWorkflow: {} }] });
  return activate;
}

const at = (nanos: number): Activation => ({ timestamp: { nanos } });
const completed = { result: { completed: {} } };

const NEWS: NonNullable<Activation['jobs']> = [
  { fireTimer: { seq: 1 } },
  { signalWorkflow: { signalName: 'tick' } },
  { cancelWorkflow: {} },
  { resolveActivity: { seq: 1, ...completed } },
  { resolveActivity: { seq: 1, result: { failed: {} } } },
  { resolveChildWorkflowExecutionStart: { seq: 1, succeeded: {} } },
  { resolveChildWorkflowExecution: { seq: 1, ...completed } },
  { resolveSignalExternalWorkflow: { seq: 1 } },
  { resolveRequestCancelExternalWorkflow: { seq: 1 } },
];

const query = (...said: object[]): Activation => ({
  ...at(1),
  jobs: [
    { queryWorkflow: { arguments: said.map((one) => defaultPayloadConverter.toPayload(one)) } },
  ],
});

describe('the interceptor against stale times', () => {
  it.each(NEWS)('holds back an event at the time of the event before it: %j', (job) => {
    const activate = createRun();

    expect(activate({ ...at(1), jobs: [job] })).toBe(false);
    expect(activate({ ...at(1), jobs: [{ fireTimer: { seq: 2 } }] }, 1)).toBe(false);
  });

  it.each([query(), query({ ended: false }), { ...at(2), jobs: NEWS }])(
    'lets a run that has held an event back go on with nothing: %j',
    (activation) => {
      const activate = createRun();
      activate({ ...at(1), jobs: NEWS });

      expect(() => activate(activation)).toThrow('ask again');
    },
  );

  it('answers who says that the run has ended as its last workflow task left it', () => {
    const activate = createRun();
    activate({ ...at(1), jobs: NEWS });

    expect(activate(query({ ended: true }))).toBe(true);
    expect(activate(query({ ended: true }))).toBe(true);
    expect(() => activate(query())).toThrow('ask again');
  });

  it.each(NEWS)('accepts an event at its own time: %j', (job) => {
    const activate = createRun();

    expect(activate({ ...at(2), jobs: [job] })).toBe(true);
  });

  it.each([
    { queryWorkflow: {} },
    { resolveActivity: { isLocal: true, ...completed } },
    { resolveActivity: { result: { cancelled: {} } } },
    { resolveChildWorkflowExecution: { result: { cancelled: {} } } },
    { resolveChildWorkflowExecutionStart: { cancelled: {} } },
    { resolveSignalExternalWorkflow: { failure: { canceledFailureInfo: {} } } },
  ])('accepts a job that comes within a workflow task: %j', (job) => {
    const activate = createRun();

    expect(activate({ ...at(1), jobs: [job] })).toBe(true);
  });

  it('accepts all jobs of one activation, and every replay', () => {
    const activate = createRun();
    const jobs = [{ fireTimer: { seq: 1 } }];

    expect(activate({ ...at(1), jobs }, 1)).toBe(true);
    expect(activate({ ...at(1), jobs, isReplaying: true })).toBe(true);
  });
});
