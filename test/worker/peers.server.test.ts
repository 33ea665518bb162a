import { expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';

import { apiTaskQueue } from '../../src/contract/wire/names.js';
import { createPeers, listPollers } from '../../src/worker/peers.js';
import { until } from '../support/timing/until.js';
import { inFaultWorld } from '../support/worlds/fault-world.js';

it('counts worker processes of one host as the server lists them', () =>
  inFaultWorld(async (world) => {
    const connection = await Connection.connect({ address: world.address });
    await world.startWorker();
    await world.startWorker();
    const pollersOf = (account: string) =>
      listPollers({ connection, namespace: 'default' }, apiTaskQueue(account));
    await until('one is listed', async () => (await pollersOf('default')).length > 0);
    const [{ identity } = {}] = await pollersOf('default');
    const peers = createPeers(() => pollersOf('default'), identity ?? '');

    await until('both are counted', () => peers.count() === 2);

    expect(peers.share()).toBe(0.5);
    expect(await pollersOf('other')).toEqual([]);
    await connection.close();
  }));
