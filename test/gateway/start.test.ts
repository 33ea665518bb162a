import { describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../src/client/index.js';
import { RunEndingError } from '../../src/client/errors.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { bodyOf, post } from '../support/gateway/gateway-world.js';
import { protectInput } from '../support/inputs/protect-input.js';

/** A server on which an earlier run of each request takes minutes to end. */
function whileAnotherEnds(): GcoreWorkflows {
  const client = new Client({ connection: Connection.lazy() });
  const gcore: GcoreWorkflows = {
    ...createGcoreWorkflows({ client }),
    as: () => gcore,
    start: async (_, { endWithinMs = Infinity }) => {
      if (endWithinMs >= GIVES_UP_MS) await new Promise(() => undefined);
      throw new RunEndingError('protect-ip/default/203.0.113.7', endWithinMs);
    },
  };
  return gcore;
}

/** So long the gateway waits for a start. */
const GIVES_UP_MS = 30_000;

describe('a start whose earlier run is still ending', () => {
  it('says so, and not that the Temporal server is away', async () => {
    const app = createGateway({ gcore: whileAnotherEnds() });

    const answer = await app.request('http://localhost/v1/runs/protectIp', post(protectInput()));

    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(await bodyOf(answer)).toMatchObject({ code: 'RunEnding' });
  });
});
