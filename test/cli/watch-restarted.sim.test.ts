import { describe, expect, it } from '@jest/globals';

import { inWorld } from '../simulation/in-world.js';
import { runCommand } from '../simulation/world/command-line.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { until } from '../support/timing/until.js';
import { stateWithInstances } from '../support/worlds/instances.js';

describe('a run that is watched by its id', () => {
  it('is told to its own end, although its request is started again at once', () =>
    inWorld({ state: stateWithInstances([]) }, async ({ gcore, client, simulator }) => {
      const request = { requestId: 'web-1', input: provisionInput({ name: 'web-1' }) };
      const { workflowId } = await gcore.start('provisionInstance', request);
      const watched = runCommand('watch', workflowId);
      await until('it is sent', () => simulator.mutations().length > 0);
      await client.workflow.start('provisionInstance', {
        ...{ workflowId, taskQueue: 'gcore-workflows', args: [request.input] },
        workflowIdConflictPolicy: 'TERMINATE_EXISTING',
      });

      const { exitCode, stderr } = await watched;

      expect(exitCode).toBe(1);
      expect(stderr).toContain('The run was terminated');
      expect(stderr.match(/create instance: sending/g)).toHaveLength(1);
    }));
});
