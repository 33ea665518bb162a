import { describe, expect, it } from '@jest/globals';

import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { replaceInput } from '../../support/operations/replace-instance.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { floatingIpOf, portOf, stateWithInstances } from '../../support/worlds/instances.js';

const LOOK = { method: 'GET', path: `/cloud/v1/floatingips/1/1/${floatingIpOf(1)}` };
const MOVE = { method: 'PATCH', path: `/cloud/v2/floatingips/1/1/${floatingIpOf(1)}` };

/** An instance with two ports, and a floating IP at the first one. */
function stateWithTwoPorts() {
  const state = stateWithInstances([{ of: 1 }]);
  const instances = state.instances.map((instance) => ({
    ...instance,
    ports: instance.ports.flatMap((port) => [
      port,
      {
        ...port,
        portId: portOf(8),
        addresses: port.addresses.map((each) => ({ ...each, ip: '10.0.0.8' })),
      },
    ]),
  }));
  return { ...state, instances };
}

async function cancelInMove({ simulator, start }: Scenario): Promise<void> {
  const gate = createGate();
  simulator.faults.add({ match: MOVE, action: { kind: 'delay', until: gate.opened } });
  const run = await start('replaceInstance', replaceInput());
  await until('the move is sent', () =>
    simulator.inFlight().some(({ path }) => path === MOVE.path),
  );
  await run.cancel();
  gate.open();
  await endOfRun(run);
}

describe('replaceInstance of an instance with several addresses', () => {
  it.each([
    ['has said it', undefined],
    ['has not said it', { fixed_ip_address: null }],
  ])('moves the floating IP back to its address when the first look %s', (_title, odd) =>
    inScenario({ state: stateWithTwoPorts() }, async (scenario) => {
      const { api, simulator } = scenario;
      const shown = await callByHand(api, `${LOOK.method} ${LOOK.path}`);
      if (odd !== undefined) {
        const body = Object.assign({}, shown, odd);
        const action = { kind: 'status', status: 200, body } as const;
        simulator.faults.add({ match: { ...LOOK, times: 1 }, action });
      }

      await cancelInMove(scenario);

      const { floatingIps, instances } = simulator.inventory();
      expect(floatingIps).toMatchObject([{ port_id: portOf(1), fixed_ip_address: '10.0.0.2' }]);
      expect(instances.map(({ name }) => name)).toEqual(['web-1']);
    }),
  );
});
