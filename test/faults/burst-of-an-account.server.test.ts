import { expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { inBatches } from '../support/timing/in-batches.js';
import { openAccountsWorld } from '../support/worlds/accounts-world.js';

const BURST = 100;

/** When a worker took the run for the first time. */
async function takenAt(client: Client, workflowId: string): Promise<number> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const taken = (events ?? []).find((event) => event.workflowTaskStartedEventAttributes);
  const { seconds, nanos } = taken?.eventTime ?? {};
  return Number(seconds) * 1_000 + (nanos ?? 0) / 1e6;
}

it('a burst of one account does not hold up the workflow tasks of another, on a fair server', async () => {
  const world = await openAccountsWorld(
    { busy: {}, calm: {} },
    { dynamicConfig: { 'matching.enableFairness': true } },
  );
  const connection = await Connection.connect({ address: world.address });
  try {
    const { gcore } = world;
    const start = async (account: string, requestId: string) =>
      (await gcore.start('listSshKeys', { requestId, input: { account } })).workflowId;
    const names = Array.from({ length: BURST }, (_, at) => `busy-${at}`);
    const burst = await inBatches(names, 20, (name) => start('busy', name));
    const late = await inBatches(['calm-1', 'calm-2', 'calm-3'], 1, (name) => start('calm', name));
    await world.startWorker();
    await Promise.all(late.map((id) => gcore.result('listSshKeys', id)));
    const client = new Client({ connection });
    const calm = await Promise.all(late.map((id) => takenAt(client, id)));
    const busy = await Promise.all(burst.map((id) => takenAt(client, id)));

    const ahead = calm.map((at) => busy.filter((other) => other < at).length);

    // In the order of their starts, all of the burst would be ahead. Four partitions each take turns.
    expect(Math.max(...ahead)).toBeLessThan(BURST / 2);
  } finally {
    await connection.close();
    await world.close();
  }
});
