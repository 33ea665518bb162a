import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from '@jest/globals';

import type { GcoreWorkflows } from '../../src/client/index.js';
import { provisionInstanceInputSchema } from '../../src/contract/operations/provision-instance.js';
import type { CliWorld } from '../support/cli/cli-world.js';
import { runCaptured } from '../support/cli/run-captured.js';
import { until } from '../support/timing/until.js';
import type { Receiver } from '../support/webhooks/receiver.js';
import { instance } from './echo-cases.js';

export interface Secretive {
  world: CliWorld;
  gcore: GcoreWorkflows;
  /** A secret in the answers of the API. */
  read: string;
}

const inputOf = (more: object) =>
  provisionInstanceInputSchema.parse({ ...instance.input, ...more });

/** Blocked by a quota, continued with a corrected input, and told to a receiver. */
export async function provisionAfterQuota(
  { world, gcore, read }: Secretive,
  { url }: Receiver,
): Promise<string> {
  const match = { method: 'POST', path: /\/cloud\/v2\/instances/, userAgent: /order-1/ };
  const body = { exception_class: 'QuotaLimitExceed', message: `Quota: ${read}` };
  world.simulator.faults.add({ match, action: { kind: 'status', status: 403, body } });
  const notify = [{ url, secretName: 'test' }];
  const input = inputOf({ onBlocked: 'wait', notify });
  const { workflowId } = await gcore.start('provisionInstance', { requestId: 'order-1', input });
  await until(
    'the run is blocked',
    async () => (await gcore.status(workflowId)).phase === 'blocked',
  );
  const file = join(world.folder, 'corrected.json');
  writeFileSync(file, JSON.stringify(input));
  const { exitCode } = await runCaptured(['resume', workflowId, '--input', file, ...world.server]);
  expect(exitCode).toBe(0);
  await gcore.result('provisionInstance', workflowId);
  return workflowId;
}

/** Waits for its next try of a read that the API answers with nonsense, and is blocked after a minute. */
export async function waitOnFailingRead({ world, gcore, read }: Secretive): Promise<string> {
  const match = { method: 'GET', path: /\/cloud\/v\d\/instances/, userAgent: /order-2/ };
  const action = { kind: 'status', status: 200, body: { message: `no list: ${read}` } } as const;
  world.simulator.faults.add({ match: { ...match, times: Infinity }, action });
  const started = await gcore.start('provisionInstance', {
    requestId: 'order-2',
    input: inputOf({ onBlocked: 'wait' }),
  });
  await until('a call has failed', async () => {
    const { paragraph } = await gcore.explain(started.workflowId);
    return paragraph.includes('UnexpectedResponse');
  });
  return started.workflowId;
}

export async function runBySchedule({ world }: Secretive): Promise<void> {
  const cli = (...args: string[]) => runCaptured([...args, ...world.server]);
  const file = join(world.folder, 'instance.json');
  const made = await cli(
    'schedule',
    'create',
    'nightly',
    'provision-instance',
    file,
    '--every',
    '6h',
  );
  expect(made.exitCode).toBe(0);
  const { stdout } = await cli('schedule', 'trigger', 'nightly');
  await cli('watch', stdout.trim());
}
