import { describe, expect, it } from '@jest/globals';

import { refuseInResetRun } from '../../src/activities/refuse-in-reset-run.js';
import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';

const inRun = (runId: string) =>
  createActivityEnvironment({ workflowExecution: { workflowId: 'order-1', runId } });
const check = (writer: string | undefined) => (): Promise<void> => {
  refuseInResetRun({ writer });
  return Promise.resolve();
};

describe('refuseInResetRun', () => {
  it('refuses a call of the copied events, and says the new Run Id', async () => {
    const failure = await failureIn(check('before'), inRun('after'));

    expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: true });
    expect(failure.details).toMatchObject([{ resetTo: 'after' }]);
  });

  it.each([
    ['the run itself', 'after'],
    ['nobody', undefined],
  ])('takes a call of %s', async (_, writer) => {
    await expect(inActivity(check(writer), inRun('after'))).resolves.toBeUndefined();
  });
});
