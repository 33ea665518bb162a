import { describe, expect, it } from '@jest/globals';

import {
  refuseInResetRuns,
  type Signed,
} from '../../../src/engine/activities/registered-activities.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
} from '../../support/http/in-activity.js';

const inRun = (runId: string) =>
  createActivityEnvironment({ workflowExecution: { workflowId: 'order-1', runId } });

/** A change as a worker registers it, which this run asks for. */
function changeOf(asks: Signed) {
  const sent: string[] = [];
  const send = ({ id }: Signed & { id: string }) => Promise.resolve(sent.push(id));
  const { change } = refuseInResetRuns({ change: send });
  return { act: () => change({ id: 'one', ...asks }), sent };
}

describe('a change as the worker registers it', () => {
  it.each<[string, Signed]>([
    ['a run that was reset', { writer: 'before' }],
    ['a run that signs as before its reset', { writer: 'after', maker: 'space/before' }],
  ])('is not sent for %s, and says the new Run Id', async (_, asks) => {
    const { act, sent } = changeOf(asks);

    const failure = await failureIn(act, inRun('after'));

    expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: true });
    expect(failure.details).toMatchObject([{ resetTo: 'after' }]);
    expect(sent).toEqual([]);
  });

  it.each<[string, Signed]>([
    ['the run itself', { writer: 'after', maker: 'space/after' }],
    ['nobody', {}],
  ])('is sent for %s', async (_, asks) => {
    const { act, sent } = changeOf(asks);

    await inActivity(act, inRun('after'));

    expect(sent).toEqual(['one']);
  });
});
