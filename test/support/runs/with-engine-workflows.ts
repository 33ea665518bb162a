import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

import { inScenario, type Scenario } from './scenario.js';

let bundle: Promise<{ codePath: string }> | undefined;

/** Writes the bundle into a file, because the process that runs workers for all tests reads one. */
async function writeBundle(): Promise<{ codePath: string }> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: resolve('test/support/workers/engine-workflows'),
    logger: new DefaultLogger('ERROR', () => undefined),
  });
  const codePath = join(await mkdtemp(join(tmpdir(), 'engine-')), 'bundle.js');
  await writeFile(codePath, code);
  return { codePath };
}

/** Runs `test` with workflows that only try one part of the engine each. */
export async function withEngineWorkflows(test: (scenario: Scenario) => Promise<void>) {
  bundle ??= writeBundle();
  await inScenario({ workflowBundle: await bundle }, test);
}
