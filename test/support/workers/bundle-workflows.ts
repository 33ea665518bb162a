import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const bundles = new Map<string, Promise<string>>();

/** Bundles these workflows into a file: the process that runs workers for all tests reads one. */
export function bundleWorkflows(path: string, interceptors: string[] = []): Promise<string> {
  const key = [path, ...interceptors].join('\n');
  const bundle = bundles.get(key) ?? writeBundle(path, interceptors);
  bundles.set(key, bundle);
  return bundle;
}

async function writeBundle(path: string, interceptors: readonly string[]): Promise<string> {
  const logger = new DefaultLogger('ERROR', () => undefined);
  const { code } = await bundleWorkflowCode({
    workflowsPath: resolve(path),
    workflowInterceptorModules: interceptors.map((module) => resolve(module)),
    logger,
  });
  const codePath = join(await mkdtemp(join(tmpdir(), 'bundle-')), 'bundle.js');
  await writeFile(codePath, code);
  return codePath;
}
