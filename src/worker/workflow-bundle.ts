import { fileURLToPath } from 'node:url';

/** Where `npm run build` puts the workflow bundle. */
export const WORKFLOW_BUNDLE_PATH = fileURLToPath(
  new URL('../workflow-bundle.js', import.meta.url),
);
