import { expect, it } from '@jest/globals';

import { inScenario } from '../support/runs/scenario.js';
import { bundleWorkflows } from '../support/workers/bundle-workflows.js';

// Where it is cut, this process ends.
it('a long activation is not cut', async () => {
  const workflows = await bundleWorkflows('test/engine/workflows', [
    'src/workflows/interceptors.ts',
  ]);
  await inScenario({ workflows, replays: false }, async ({ startRaw, account }) => {
    const run = await startRaw('busy', [{ account }]);

    expect(await run.result()).toBe('ended');
  });
});
