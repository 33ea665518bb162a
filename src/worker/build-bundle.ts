/** `npm run build`: bundles the workflows, so that a production worker starts without webpack. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

import { joinModules } from './join-modules.js';
import { withoutStacks } from './without-stacks.js';
import { bundleVariants, type BundleVariant } from './workflow-bundle.js';

const WORKFLOWS = fileURLToPath(new URL('../workflows/index.js', import.meta.url));
const INTERCEPTORS = fileURLToPath(new URL('../workflows/interceptors.js', import.meta.url));

async function bundle(options: BundleVariant['options']): Promise<string> {
  const { workflowInterceptorModules = [], failureConverterPath } = options;
  const converters = failureConverterPath === undefined ? [] : [failureConverterPath];
  const { code } = await bundleWorkflowCode({
    ...options,
    workflowsPath: WORKFLOWS,
    workflowInterceptorModules: [INTERCEPTORS, ...workflowInterceptorModules],
    // Otherwise each run would evaluate and keep 200 modules of its own. See docs/decisions/0044.
    preloadModules: [WORKFLOWS, INTERCEPTORS, ...converters],
    webpackConfigHook: joinModules,
    logger: new DefaultLogger('WARN'),
  });
  return code;
}

const built = new Map<string, Promise<string>>();
for (const { path, options, stacks } of bundleVariants()) {
  const key = JSON.stringify(options);
  const code = await (built.get(key) ?? bundle(options));
  built.set(key, Promise.resolve(code));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, stacks ? code : withoutStacks(code));
}
