/** `npm run build`: bundles the workflows, so that a production worker starts without webpack. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

import { WORKFLOW_BUNDLE_PATH } from './workflow-bundle.js';

const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../workflows/index.js', import.meta.url)),
  workflowInterceptorModules: [
    fileURLToPath(new URL('../workflows/engine/run/interceptors.js', import.meta.url)),
  ],
  logger: new DefaultLogger('WARN'),
});
await mkdir(dirname(WORKFLOW_BUNDLE_PATH), { recursive: true });
await writeFile(WORKFLOW_BUNDLE_PATH, code);
