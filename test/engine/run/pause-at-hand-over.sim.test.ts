import { describe, expect, it } from '@jest/globals';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
import { bundleWorkflows } from '../../support/workers/bundle-workflows.js';
import { handsOverQuery, takenSignal } from '../workflows/index.js';

const WORKFLOWS = 'test/engine/workflows';

describe('a run that hands its webhooks over before it continues in a new history', () => {
  it('stays paused when it was paused meanwhile, and continues after resume', async () => {
    const workflows = await bundleWorkflows(WORKFLOWS);
    await inScenario({ workflows }, async ({ startRaw, account, client }) => {
      const started = await startRaw('goesOn', [{ account }]);
      const run = client.workflow.getHandle(started.workflowId);
      const { runId } = await run.describe();
      await until('it hands over', () => run.query(handsOverQuery));

      const { phase } = await run.executeUpdate(pauseUpdate);
      await run.signal(takenSignal);
      const status = await run.query(statusQuery);

      expect([phase, status.phase]).toEqual(['paused', 'paused']);
      expect((await run.describe()).runId).toBe(runId);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      expect(await run.result()).toBe('the next history');
    });
  });
});
