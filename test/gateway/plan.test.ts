import { describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../src/client/index.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { collectGarbage } from '../support/http/collect-garbage.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';

/** A gateway whose plans wait for the gate, as they wait for a worker. */
function gatewayWithPlans(opened: Promise<unknown>) {
  const inputs: WeakRef<object>[] = [];
  const client = new Client({ connection: Connection.lazy() });
  const gcore: GcoreWorkflows = {
    ...createGcoreWorkflows({ client }),
    startPlan(_, { input }) {
      inputs.push(new WeakRef(input));
      return Promise.resolve({ workflowId: 'plan-1' });
    },
    async planOf() {
      await opened;
      const nothing = { findings: [], adopts: [], irreversible: [], calls: [] };
      return { operation: 'listSshKeys', ready: true, ...nothing };
    },
  };
  return { app: createGateway({ gcore }), inputs };
}

describe('a plan that waits for a worker', () => {
  it('does not hold its input, which takes ten times the bytes of its body', async () => {
    const gate = createGate();
    const { app, inputs } = gatewayWithPlans(gate.opened);

    const answer = app.request('/v1/plans/listSshKeys', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"account":"blue"}',
    });
    await until('it is begun', () => inputs.length === 1);
    await until('its input is let go of', () => {
      collectGarbage();
      return inputs[0]?.deref() === undefined;
    });
    gate.open();

    expect((await answer).status).toBe(200);
  });
});
