import { describe, expect, it } from '@jest/globals';

import { inScenario } from '../../simulation/scenario.js';
import { bundleWorkflows } from '../../support/workers/bundle-workflows.js';
import { until } from '../../support/timing/until.js';

describe('a defect of a workflow', () => {
  it('names its step and its last call, because there is no stack trace', async () => {
    const workflows = await bundleWorkflows('test/engine/workflows', [
      'src/workflows/interceptors.ts',
    ]);
    await inScenario({ workflows, replays: false }, async ({ startRaw, account }) => {
      const run = await startRaw('defective', [{ account }]);
      let texts: (string | null | undefined)[] = [];

      await until('its workflow task fails', async () => {
        const { events } = await run.fetchHistory();
        texts = (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
          failed ? [failed.failure?.message] : [],
        );
        return texts.length > 0;
      });
      await run.terminate();

      expect(texts[0]).toBe(
        'x is not a function (in its step "work") (after its call listProjectIds)',
      );
    });
  });
});
