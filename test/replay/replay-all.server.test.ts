import { resolve } from 'node:path';

import type { Client } from '@temporalio/client';
import { beforeAll, describe, expect, it } from '@jest/globals';

import { PORTS } from '../support/inputs/protect-input.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { replayAll, replayErrors } from '../support/replay/replay-all.js';
import { inScenario } from '../support/runs/scenario.js';
import { until } from '../support/timing/until.js';
import { bundleWorkflows } from '../support/workers/bundle-workflows.js';

const ours = { codePath: resolve('dist/workflow-bundle.js') };
const diverging = { codePath: '' };
const INPUT = provisionInput({}, { protect: { profile_template: 12, fields: [PORTS] } });

let client: Client;
/** A run with a child, by the product's bundle. */
let ourRun: string;
/** A run of the same workflow type, by the diverging bundle. */
let divergingRun: string;

beforeAll(async () => {
  diverging.codePath = await bundleWorkflows('test/replay/diverging-workflows');
  await inScenario({}, async (scenario) => {
    const run = await scenario.start('provisionInstance', INPUT);
    await run.result();
    ({ client } = scenario);
    ourRun = run.workflowId;
  });
  await inScenario({ workflows: diverging.codePath }, async ({ start }) => {
    const run = await start('provisionInstance', INPUT);
    await until('the run sleeps', async () => (await run.describe()).historyLength >= 5);
    await run.terminate();
    divergingRun = run.workflowId;
  });
});

const nondeterminism = (workflowId: string) =>
  expect.stringMatching(new RegExp(`^${workflowId} does not replay: .*nondeterminism`));

describe('the replay of all runs', () => {
  it('finds the run whose history the code contradicts, and no other', async () => {
    const errors = await replayErrors(client, [ourRun, divergingRun, ourRun], ours);

    expect(errors).toEqual(['', nondeterminism(divergingRun), '']);
  });

  it('finds the child whose history the code contradicts', async () => {
    const [error, ...others] = await replayErrors(client, [ourRun, divergingRun], diverging);

    expect(error?.split('\n')).toEqual([
      nondeterminism(ourRun),
      nondeterminism(`${ourRun}/protect`),
    ]);
    expect(others).toEqual(['']);
  });

  it('finds both also with a server of its own, as outside jest', async () => {
    const { REPLAY_ADDRESS } = process.env;
    delete process.env['REPLAY_ADDRESS'];
    const ids = [divergingRun, ourRun, divergingRun];

    const [first, error, ...others] = await replayErrors(client, ids, diverging);
    process.env['REPLAY_ADDRESS'] = REPLAY_ADDRESS;

    expect(error?.split('\n')).toEqual([
      nondeterminism(ourRun),
      nondeterminism(`${ourRun}/protect`),
    ]);
    expect([first, ...others]).toEqual(['', '']);
  });

  it('fails with every error that it found', async () => {
    await expect(replayAll(client, [ourRun], ours)).resolves.toBeUndefined();
    await expect(replayAll(client, [ourRun, divergingRun], ours)).rejects.toThrow(
      `${divergingRun} does not replay: DeterminismViolationError`,
    );
    await expect(replayAll(client, [ourRun], ours)).resolves.toBeUndefined();
  });

  it.each([
    ['run', 'no-such-run', ours],
    ['bundle', 'its-run', { codePath: 'no-such-bundle.js' }],
  ])('fails when the %s does not exist', async (_, workflowId, bundle) => {
    await expect(replayAll(client, [workflowId], bundle)).rejects.toThrow(workflowId);
  });
});
