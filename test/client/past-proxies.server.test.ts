import { afterEach, describe, expect, it } from '@jest/globals';
import { loadClientConnectConfig } from '@temporalio/envconfig';

import { connectGcoreWorkflows } from '../../src/client/index.js';
import { createNexusEndpoint } from '../../src/dev/nexus-endpoint.js';
import { resolveTemporalExecutable } from '../../src/dev/temporal-executable.js';
import { startTemporalServer } from '../../src/dev/temporal-server.js';
import { runIn } from '../support/packaging/run-in.js';

/** In the order in which gRPC takes them. */
const VARIABLES = ['grpc_proxy', 'https_proxy', 'http_proxy'];

afterEach(() => {
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
});

describe('a proxy in the environment', () => {
  it.each(VARIABLES)('stands between no client and a server of this machine: %s', async (name) => {
    process.env[name] = 'http://127.0.0.1:1';

    const gcore = await connectGcoreWorkflows({ config: loadClientConnectConfig() });

    await expect(gcore.list()).resolves.toBeDefined();
    await gcore.close();
  });

  it('does not stop the server that dev and demo start', async () => {
    process.env['http_proxy'] = 'http://127.0.0.1:1';
    const { path } = await resolveTemporalExecutable({ path: process.env['PATH'] });
    const { address, namespace, close } = await startTemporalServer({ executable: path });
    const config = { connectionOptions: { address }, namespace };

    await expect(createNexusEndpoint(config)).resolves.toBeUndefined();
    await close();
  });

  it('is named where it leads to no server of another machine, and gRPC says nothing of its own', async () => {
    const asked = ['list', '--address', 'temporal.example:7233'];
    const environment = ['http_proxy=http://127.0.0.1:1', 'GCORE_ALLOW_PLAIN_TEMPORAL=true'];
    const command = [...environment, process.execPath, 'dist/cli/main.js', ...asked];
    const { code, stderr } = await runIn('.', 'env', command);

    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'Error: TemporalUnreachable: No Temporal server answers at temporal.example:7233 through the proxy of http_proxy (waited 5 seconds).',
      expect.stringContaining('Without a proxy: no_proxy=temporal.example.'),
    ]);
  });
});
