import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { createCliWorld, type CliWorld } from '../support/cli/cli-world.js';
import { runCaptured } from '../support/cli/run-captured.js';
import { until } from '../support/timing/until.js';

const runsSchema = z.array(z.object({ workflowId: z.string(), phase: z.string() }));

/** The command before the pipe to jq, as the README has it. */
async function readListCommand(): Promise<string> {
  const readme = await readFile('README.md', 'utf8');
  const [, command = ''] = /^(.* list -o json) \| jq /m.exec(readme) ?? [];
  return command;
}

function listInPipe(command: string, { address, namespace }: CliWorld): Promise<string> {
  const shell = spawn('sh', ['-c', command], {
    env: { ...process.env, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text(shell.stdout);
}

describe('the list command of the README', () => {
  it('writes nothing but JSON into a pipe', async () => {
    const world = await createCliWorld();
    const command = await readListCommand();
    const args = ['--file', world.file, '--request-id', 'piped', '--no-wait', ...world.server];
    await runCaptured(['provision', ...args]);
    let runs: unknown = [];

    await until('the list has the run', async () => {
      runs = runsSchema.parse(JSON.parse(await listInPipe(command, world)));
      return JSON.stringify(runs) !== '[]';
    });

    expect(runs).toEqual([{ workflowId: 'provision-instance/default/piped', phase: 'running' }]);
    await world.close();
  });
});
