import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { connectGcoreWorkflows, type ConnectedGcoreWorkflows } from '../../src/client/index.js';
import { GrpcCode, grpcCodeOf } from '../../src/client/server-calls.js';

const withinMs = 1_000;
/** The server lets a query wait for half a minute. */
const SOON_MS = 15_000;

describe('a question that no worker answers', () => {
  let gcore: ConnectedGcoreWorkflows;
  let workflowId: string;
  beforeAll(async () => {
    gcore = await connectGcoreWorkflows();
    ({ workflowId } = await gcore.startPlan('listSshKeys', {
      input: { account: `a-${randomUUID().slice(0, 8)}` },
    }));
  });
  afterAll(() => gcore.close());

  it.each(['status', 'report', 'batchReport', 'planOf'] as const)(
    'ends at the time of %s',
    async (name) => {
      const since = performance.now();

      const error: unknown = await gcore
        .endingWithin(withinMs, () => gcore[name](workflowId).then(String))
        .catch((thrown: unknown) => thrown);

      // Whoever is first: the client at its deadline, or the server that it has told it.
      expect([GrpcCode.deadlineExceeded, GrpcCode.cancelled]).toContain(grpcCodeOf(error));
      expect(performance.now() - since).toBeLessThan(SOON_MS);
    },
  );

  it('ends when whoever asks gives up, on behalf of somebody too', async () => {
    const since = performance.now();

    // The server itself would let them wait for the end of the run.
    const error: unknown = await gcore
      .endingWithin(withinMs, () => gcore.as('billing').result('listSshKeys', workflowId))
      .catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(Error);
    expect(performance.now() - since).toBeLessThan(SOON_MS);
  });
});
