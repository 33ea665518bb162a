import { describe, expect, it } from '@jest/globals';

import { inWorld } from '../simulation/in-world.js';
import { runCommand } from '../simulation/world/command-line.js';
import { instanceIdOf, stateWithInstances } from '../support/worlds/instances.js';

describe.each(['watch', 'result'])('%s of a plan', (command) => {
  it.each([
    ['is ready', 1, 0],
    ['is not ready', 9, 5],
  ] as const)('that %s ends as the plan itself does', (_, of, exitCode) =>
    inWorld({ state: stateWithInstances([{ of: 1 }]) }, async ({ gcore }) => {
      const input = { instanceId: instanceIdOf(of), action: 'stop' as const };
      const placed = { ...input, projectId: 1, regionId: 1 };
      const { workflowId } = await gcore.startPlan('setInstancePower', {
        ...{ input: placed, requestId: 'night' },
      });

      const told = await runCommand(command, workflowId);

      expect(told).toMatchObject({ exitCode });
      expect(JSON.parse(told.stdout)).toMatchObject({ plan: { ready: exitCode === 0 } });
    }),
  );
});
