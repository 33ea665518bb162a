import { describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { createGcoreWorkflows, type PageFilter } from '../../src/client/index.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';

/** A gateway whose lists wait for the gate. */
function gatewayWithLists(opened: Promise<unknown>) {
  const client = new Client({ connection: Connection.lazy() });
  const asked: PageFilter[] = [];
  const gcore = {
    ...createGcoreWorkflows({ client }),
    counts: () => Promise.resolve([]),
    page: async (filter: PageFilter = {}) => {
      asked.push(filter);
      await opened;
      return { runs: [] };
    },
  };
  return { app: createGateway({ gcore }), asked };
}

describe('long lists', () => {
  it('are read in turn, however many a token asks for', async () => {
    const gate = createGate();
    const { app, asked } = gatewayWithLists(gate.opened);

    const list = async () => (await app.request('/v1/runs?limit=1000')).status;
    const answers = Array.from({ length: 20 }, list);
    await until('some are read', () => asked.length > 0);
    const atOnce = asked.length;
    gate.open();

    expect(atOnce).toBe(4);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    expect(asked).toHaveLength(20);
  });

  it('have no more rows on a page than a person reads', async () => {
    const { app, asked } = gatewayWithLists(Promise.resolve());

    const { status } = await app.request('/runs?limit=1000&open=true');

    expect(status).toBe(200);
    expect(asked.map(({ limit }) => limit)).toEqual([50]);
  });
});
