import { describe, expect, it } from '@jest/globals';

import { interceptors } from '../../../src/engine/run/refuse-stale-time.js';

type Activate = NonNullable<
  NonNullable<ReturnType<typeof interceptors>['internals']>[number]['activate']
>;
type Activation = Parameters<Activate>[0]['activation'];

/** A run that has been activated at time 1. */
function createRun() {
  const [internals] = interceptors().internals ?? [];
  const activate = (activation: Activation, batchIndex = 0): boolean => {
    let isLetThrough = false;
    internals?.activate?.({ activation, batchIndex }, () => {
      isLetThrough = true;
    });
    return isLetThrough;
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
];

describe('the interceptor against stale times', () => {
  it.each(NEWS)('refuses an event at the time of the event before it: %j', (job) => {
    const activate = createRun();

    expect(() => activate({ ...at(1), jobs: [job] })).toThrow('ask again');
  });

  it.each(NEWS)('accepts an event at its own time: %j', (job) => {
    const activate = createRun();

    expect(activate({ ...at(2), jobs: [job] })).toBe(true);
  });

  it.each([
    { queryWorkflow: {} },
    { resolveActivity: { isLocal: true, ...completed } },
    { resolveActivity: { result: { cancelled: {} } } },
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
