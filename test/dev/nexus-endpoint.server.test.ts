import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';

import { createNexusEndpoint } from '../../src/dev/nexus-endpoint.js';

const address = process.env['TEMPORAL_ADDRESS'] ?? '';

let connection: Connection;

beforeAll(async () => {
  connection = await Connection.connect({ address });
});

afterAll(() => connection.close());

describe('the Nexus endpoint of the local stack', () => {
  it('leads to the workers of the product, and a second start finds it', async () => {
    const temporal = { connectionOptions: { address }, namespace: 'default' };

    await createNexusEndpoint(temporal);
    await createNexusEndpoint(temporal);

    const { endpoints } = await connection.operatorService.listNexusEndpoints({
      name: 'gcore-workflows',
    });
    expect(endpoints).toMatchObject([
      { spec: { target: { worker: { namespace: 'default', taskQueue: 'gcore-workflows' } } } },
    ]);
  });
});
