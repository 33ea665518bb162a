import type { WorkflowHandle } from '@temporalio/client';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { until } from '../timing/until.js';
import type { Scenario } from './scenario.js';

/** Pauses the run, and resumes it with another input once it takes one. */
export async function correctRun(
  { account }: Pick<Scenario, 'account'>,
  run: WorkflowHandle,
  input: object,
): Promise<void> {
  await run.executeUpdate(pauseUpdate);
  await until('the paused run takes another input', async () => {
    const { acceptsInput } = await run.query(statusQuery);
    return acceptsInput === true;
  });
  await run.executeUpdate(resumeUpdate, { args: [{ input: { ...input, account } }] });
}
