import { describe, expect, it } from '@jest/globals';

import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { PRIVATE_NETWORK } from '../../support/worlds/simulated-cloud.js';
import { protectInput } from '../../support/inputs/protect-input.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';

/** Every read of a task says that it has finished, and names nothing that it has made. */
function silenceTasks({ simulator }: Scenario, type: string): void {
  const body = {
    id: 'the task',
    task_type: type,
    state: 'FINISHED',
    error: null,
    created_resources: null,
    created_on: '2026-05-23T05:07:31',
  };
  simulator.faults.add({
    match: { method: 'GET', path: /\/v1\/tasks\/./, times: Infinity },
    action: { kind: 'status', status: 200, body },
  });
}

describe('what a finished task does not name', () => {
  it.each([false, true])('is in the ledger: a floating IP, its answer lost: %s', (isLost) =>
    inScenario({}, async (scenario) => {
      const { simulator, start } = scenario;
      const match = { method: 'POST', path: CREATE_PATH };
      silenceTasks(scenario, 'create_vm');
      if (isLost) simulator.faults.add({ match, action: { kind: 'drop-response' } });
      simulator.faults.add({ match, action: { kind: 'list-lag', ms: 200 } });
      const { instance, ...input } = provisionInput();
      const floating_ip = { source: 'new' as const };
      const interfaces = [
        { type: 'any_subnet' as const, network_id: PRIVATE_NETWORK, floating_ip },
      ];

      const run = await start('provisionInstance', {
        ...input,
        instance: { ...instance, interfaces },
      });
      const { ledger } = await run.result();

      const { instances, volumes, floatingIps } = simulator.inventory();
      const made = [...instances, ...volumes, ...floatingIps].map(({ id }) => id);
      const named = ledger.flatMap(({ resources }) => resources.map(({ id }) => id));
      expect(floatingIps).toHaveLength(1);
      expect(named.sort()).toEqual(made.sort());
    }),
  );

  it('is found in a list that lags: a DDoS profile', () =>
    inScenario({}, async (scenario) => {
      const { simulator, start, mutations } = scenario;
      const match = { method: 'POST', path: '/cloud/v1/ddos/profiles/1/1' };
      silenceTasks(scenario, 'create_ddos_profile');
      simulator.faults.add({ match, action: { kind: 'list-lag', ms: 200 } });

      const { profileId } = await (await start('protectIp', protectInput())).result();

      expect(simulator.inventory().ddosProfiles.map(({ id }) => id)).toEqual([profileId]);
      expect(mutations().filter((call) => call === `POST ${match.path}`)).toHaveLength(1);
    }));
});
