import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { beforeAll, expect, it } from '@jest/globals';

import { bundleWorkflows } from '../../support/workers/bundle-workflows.js';
import { createServer } from '../temporal/create-server.js';
import { createProcess } from '../time/processes.js';
import { simulate } from '../time/run.js';
import { installCore } from './install-core.js';
import { createLink } from './link.js';
import { smokeActivities } from './smoke/activities.js';
import { add, everything, push, seen } from './smoke/workflows.js';

const ADDRESS = 'temporal.simulated:7233';
let codePath = '';

beforeAll(async () => {
  codePath = await bundleWorkflows('test/simulation/core/smoke/workflows.ts');
});

interface Played {
  events: number;
  result: unknown;
  nondeterminism: string[];
}

function play(seed: number, evicts: boolean): Promise<Played> {
  return simulate(seed, async (simulation) => {
    const { clock, draw } = simulation;
    const server = createServer({ clock, draw: draw.fork('server') });
    const link = createLink(server, clock, draw.fork('link'));
    const nondeterminism: string[] = [];
    const core = installCore({
      clock,
      draw,
      links: new Map([[`http://${ADDRESS}`, link]]),
      onNondeterminism: (text) => nondeterminism.push(text),
    });
    const evict = (): void => {
      if (evicts) core.evict();
    };
    try {
      const process = createProcess('worker', clock);
      const connection = await simulation.until(
        process.run(() => NativeConnection.connect({ address: ADDRESS })),
      );
      const worker = await simulation.until(
        process.run(() =>
          Worker.create({
            connection,
            taskQueue: 'smoke',
            workflowBundle: { codePath },
            activities: smokeActivities(),
          }),
        ),
      );
      const running = process.run(() => worker.run());
      const client = new Client({
        connection: await simulation.until(NativeConnection.connect({ address: ADDRESS })),
      });
      const tell = async (): Promise<unknown> => {
        const handle = await client.workflow.start(everything, {
          taskQueue: 'smoke',
          workflowId: 'smoke',
          args: [1],
        });
        for (let round = 0; round < 2; round += 1) {
          await new Promise((resolve) => setTimeout(resolve, 20_000));
          evict();
          await handle.signal(push, 'pushed');
          await new Promise((resolve) => setTimeout(resolve, 20_000));
          expect(
            await client.workflow.getHandle('smoke').executeUpdate(add, { args: ['added'] }),
          ).toBe(5);
          await expect(
            client.workflow.getHandle('smoke').executeUpdate(add, { args: [''] }),
          ).rejects.toThrow();
          evict();
          await new Promise((resolve) => setTimeout(resolve, 60_000));
          expect(await client.workflow.getHandle('smoke').query(seen)).toContain(
            'child four smoke',
          );
          await client.workflow.getHandle('smoke').signal(push, 'go');
          evict();
          await new Promise((resolve) => setTimeout(resolve, 60_000));
        }
        return handle.result();
      };
      const result = await simulation.until(tell());
      worker.shutdown();
      await simulation.until(running);
      const events = server.executions().reduce((sum, { history }) => sum + history.length, 0);
      return { events, result, nondeterminism };
    } finally {
      core.uninstall();
    }
  });
}

it('a workflow does a bit of everything, cached and replayed', async () => {
  const cached = await play(1, false);
  expect(cached).toMatchObject({ nondeterminism: [], result: { run: true } });
  const replayed = await play(1, true);
  expect(replayed.nondeterminism).toEqual([]);
  expect(replayed.result).toMatchObject({ run: true });
});
