import { describe, expect, it } from '@jest/globals';
import { Client, ServiceError } from '@temporalio/client';

import { createRunsBefore } from '../../src/worker/runs-before.js';

const INVALID_ARGUMENT = 3;
const INTERNAL = 13;

/** Of a server that answers each question about a run so. */
function clientOf(code: number): Client {
  const refused = Object.assign(new Error('Invalid RunId.'), { code, details: '', metadata: {} });
  const client = new Client();
  const describe = () => Promise.reject(new ServiceError('refused', { cause: refused }));
  client.workflow.getHandle = () =>
    Object.assign(new Client().workflow.getHandle('w'), { describe });
  client.withDeadline = (_, ask) => ask();
  return client;
}

const named = { workflowId: 'w', runId: 'the run of last night' };

describe('the runs before a run', () => {
  it('are none where a client has named what is no Run Id', async () => {
    const ask = createRunsBefore(() => clientOf(INVALID_ARGUMENT));

    expect(await ask(named, Date.now())).toEqual([]);
  });

  it('are not known where the server cannot say it', async () => {
    const ask = createRunsBefore(() => clientOf(INTERNAL));

    await expect(ask(named, Date.now())).rejects.toThrow('refused');
  });
});
