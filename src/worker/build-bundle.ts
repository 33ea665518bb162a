/**
 * `npm run build`: bundles the workflows, so that a production worker starts without webpack. Leaves a bundle alone when
 * nothing has changed that it was made of. See docs/decisions/0060.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { isUpToDate, keepRecord } from './bundle-record.js';
import { bundleVariants } from './workflow-bundle.js';

const RECORD = fileURLToPath(new URL('../../.cache/workflow-bundle.json', import.meta.url));

/** What decides the result, and no file says. */
function setting(): unknown {
  const { version, platform, arch } = process;
  return [version, platform, arch, bundleVariants()];
}

async function bundleHere(): Promise<void> {
  const startedAt = Date.now();
  const { bundleWorkflows } = await import('./bundle-workflows.js');
  const made = await bundleWorkflows(bundleVariants());
  await keepRecord(RECORD, { startedAt, setting: setting(), ...made });
}

/** In a process of its own: no variable of the environment and no flag decides the result. */
async function bundleApart(): Promise<void> {
  if (await isUpToDate(RECORD, setting())) return;
  const child = fork(fileURLToPath(import.meta.url), [HERE], { env: {}, execArgv: [] });
  const exit: unknown[] = await once(child, 'exit');
  if (exit[0] !== 0) process.exitCode = 1;
}

const HERE = 'here';
await (process.argv[2] === HERE ? bundleHere() : bundleApart());
