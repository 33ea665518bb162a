import { describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import {
  createGcoreWorkflows,
  RunNotFoundError,
  type GcoreWorkflows,
  type PageFilter,
} from '../../src/client/index.js';
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

/** Lists of runs that are all blocked, about each of which the gateway asks when the gate is open. */
function gatewayWithBlockedRuns(opened: Promise<unknown>) {
  const client = new Client({ connection: Connection.lazy() });
  const looks: string[] = [];
  const run = { operation: 'provisionInstance' as const, account: 'default', state: 'RUNNING' };
  const gcore: GcoreWorkflows = {
    ...createGcoreWorkflows({ client }),
    counts: () => Promise.resolve([]),
    page: ({ search = '', limit = 0 } = {}) => {
      const more = {
        ...run,
        phase: 'blocked' as const,
        startedAt: new Date(0),
        closedAt: undefined,
      };
      const runs = Array.from({ length: limit }, (_, at) => ({
        ...{ workflowId: `${search}/${at}`, runId: 'run-1', ...more },
      }));
      return Promise.resolve({ runs });
    },
    summary: async (name) => {
      const workflowId = typeof name === 'string' ? name : name.workflowId;
      looks.push(workflowId);
      await opened;
      throw new RunNotFoundError(workflowId);
    },
  };
  return { app: createGateway({ gcore }), looks };
}

/** Pages that are there at once, and counts and urgent runs that wait for the gate. */
function gatewayWithUrgentLists(opened: Promise<unknown>) {
  const client = new Client({ connection: Connection.lazy() });
  const asked: string[] = [];
  const gcore: GcoreWorkflows = {
    ...createGcoreWorkflows({ client }),
    async counts() {
      asked.push('counts');
      await opened;
      return [];
    },
    async page({ phase, query } = {}) {
      if (phase === undefined && query === undefined) return { runs: [] };
      asked.push(phase ?? 'ended');
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

    expect(atOnce).toBe(3);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    expect(asked).toHaveLength(20);
  });

  it('ask about few of their runs at once, however many pages a token asks for', async () => {
    const gate = createGate();
    const { app, looks } = gatewayWithBlockedRuns(gate.opened);

    const list = async (_: unknown, at: number) =>
      (await app.request(`/runs?search=page-${at}`)).status;
    const answers = Array.from({ length: 10 }, list);
    await until('some are looked at', () => looks.length >= 8);
    const atOnce = looks.length;
    gate.open();

    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    expect(atOnce).toBe(8);
    expect(looks).toHaveLength(200);
  });

  it('are counted, and looked through for what is urgent, for few pages at once', async () => {
    const gate = createGate();
    const { app, asked } = gatewayWithUrgentLists(gate.opened);

    const list = async (_: unknown, at: number) =>
      (await app.request(`/runs?account=account-${at}`)).status;
    const answers = Array.from({ length: 20 }, list);
    await until('some are asked for', () => asked.length >= 8);
    const atOnce = asked.length;
    gate.open();

    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    expect(atOnce).toBe(8);
    // The counts, what is blocked, and what has failed.
    expect(asked).toHaveLength(3 * 20);
  });

  it('have no more rows on a page than a person reads', async () => {
    const { app, asked } = gatewayWithLists(Promise.resolve());

    const { status } = await app.request('/runs?limit=1000&open=true');

    expect(status).toBe(200);
    expect(asked.map(({ limit }) => limit)).toEqual([50]);
  });
});
