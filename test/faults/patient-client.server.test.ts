import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from '@jest/globals';

import { inFaultWorld } from '../support/worlds/fault-world.js';
import { holdRuns, IN_FLIGHT } from './moments.js';
import { interruptTemporal } from './temporal-outage.js';

/** Longer than the time for which the SDK retries a call by itself. */
const AWAY_SECONDS = 25;

/** Connects and says so. On a line of input, makes a call and closes; by then the server is gone. */
const CLOSING_CLIENT = `
  const { connectGcoreWorkflows } = await import(process.argv[1]);
  const config = { connectionOptions: { address: process.argv[2] } };
  const gcore = await connectGcoreWorkflows({ config });
  process.stdout.write('connected');
  process.stdin.once('data', async () => {
    const list = gcore.list(1).catch(() => undefined);
    setTimeout(async () => {
      await gcore.close();
      await list;
      process.stdin.destroy();
    }, 1500);
  });
`;

describe('a client whose Temporal server goes away', () => {
  it.concurrent('gets the result that it waits for when the server is back', () =>
    inFaultWorld(async (world) => {
      await world.startWorker();
      const { runs, letGo } = await holdRuns(world, [IN_FLIGHT]);
      const workflowId = runs[0]?.workflowId ?? '';
      const result = world.gcore.result('provisionInstance', workflowId);

      await interruptTemporal(world, { seconds: AWAY_SECONDS, meanwhile: letGo });

      expect((await result).status).toBe('ACTIVE');
    }),
  );

  it.concurrent('can close during a call, and its process exits normally', () =>
    inFaultWorld(async (world) => {
      const client = pathToFileURL(resolve('dist/client/index.js')).href;
      const args = ['--input-type=module', '-e', CLOSING_CLIENT, client, world.address];
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      await once(child.stdout, 'data');

      await world.killTemporal();
      child.stdin.write('go');

      expect(await exited).toEqual([0, null]);
    }),
  );
});
