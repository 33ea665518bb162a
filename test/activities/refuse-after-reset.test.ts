import { describe, expect, it } from '@jest/globals';

import { refuseAfterReset } from '../../src/activities/refuse-after-reset.js';
import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';

const inRun = (runId: string) =>
  createActivityEnvironment({ workflowExecution: { workflowId: 'order-1', runId } });
const check = (maker: string) => (): Promise<void> => {
  refuseAfterReset(maker);
  return Promise.resolve();
};

describe('refuseAfterReset', () => {
  it('refuses a call of the copied events, and says how the run signs from now on', async () => {
    const failure = await failureIn(check('space/before'), inRun('after'));

    expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: true });
    expect(failure.details).toMatchObject([{ resetTo: 'space/after' }]);
  });

  it.each([
    ['of the run itself', 'space/after'],
    ['with a hash instead of a Run Id', 'sha256:0a1b'],
  ])('takes a call %s', async (_, maker) => {
    await expect(inActivity(check(maker), inRun('after'))).resolves.toBeUndefined();
  });
});
